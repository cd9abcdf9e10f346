# Answers for tests/report/test_thin.c from R's own functions.
# usage: Rscript make_dependence.R > dependence.json
number <- function(x) paste0("[", paste(format(x, digits = 17, trim = TRUE), collapse = ", "), "]")
x <- c(3.1, 2.2, 2.2, 5.9, 4.4, 2.2, 7.5, 6.1, 6.1, 1.0, 0.5, 4.4, 9.9, 8.1, 3.3, 2.9)
cat(sprintf('{
 "source": "%s: rank(), acf(rank(), plot = FALSE)",
 "x": %s,
 "ranks": %s,
 "acf": %s
}
', R.version.string, number(x), number(rank(x)), number(acf(rank(x), lag.max = 6, plot = FALSE)$acf[-1])))
