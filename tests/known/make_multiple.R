# Answers for tests/stats/test_multiple.c and test_runcorr.c from R's own functions.
# usage: Rscript make_multiple.R > multiple.json
number <- function(x) paste0("[", paste(format(x, digits = 15, trim = TRUE), collapse = ", "), "]")
p <- c(0.01, 0.04, 0.03, 0.005, 0.2, 0.03, 1, 0.0004)
same <- rep(0.02, 4)
walk <- c(1.2, 1.9, 2.4, 2.2, 1.1, 1.3, 1.7, 2.4, 3.1, 2.8, 3.9, 2.3)
noise <- c(0.3, -1.1, 0.8, 0.1, -0.4, 1.6, -0.9, 0.2, -0.3, 0.7)
cat(sprintf('{
 "source": "%s: p.adjust(method = \\"holm\\"), acf(plot = FALSE)",
 "p": %s,
 "holm": %s,
 "ties": %s,
 "ties_holm": %s,
 "walk": %s,
 "walk_lag1": %.17g,
 "noise": %s,
 "noise_lag1": %.17g
}
', R.version.string, number(p), number(p.adjust(p, "holm")), number(same), number(p.adjust(same, "holm")),
    number(walk), acf(walk, plot = FALSE)$acf[2], number(noise), acf(noise, plot = FALSE)$acf[2]))
