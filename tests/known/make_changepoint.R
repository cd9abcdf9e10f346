# Answers for tests/stats/test_score.c, test_longrun.c, test_split.c and test_slope.c from R's own functions, and by
# simulation where there is no function. usage: Rscript make_changepoint.R > changepoint.json
number <- function(x) paste0("[", paste(format(x, digits = 15, trim = TRUE), collapse = ", "), "]")

# The sequences of tests/support/sequence.h.
uniform <- function(n, seed) {
	x <- numeric(n)
	for (i in 1:n) {
		seed <- (seed * 16807) %% 2147483647
		x[i] <- seed / 2147483647
	}
	x
}
autoregression <- function(n, seed, phi) as.numeric(stats::filter(uniform(n, seed) - 0.5, phi, "recursive"))

# Scores: normal quantile of the mid-rank of u in a sample with ties.
sample <- round(4 * uniform(60, 11) - 2, 1)
u <- c(seq(-1.9, 1.9, by = 0.1), -0.05, 0.733, 1.4142)
u <- round(u, 4)
inside <- u[u >= min(sample) & u <= max(sample)]
midrank <- sapply(inside, function(v) (sum(sample < v - 1e-9) + sum(sample < v + 1e-9)) / 2)
scores <- qnorm(pmin(pmax(midrank, 0.5), 59.5) / 60)

# Long-run factor of an autoregression by Yule-Walker and AIC, order 1 to the same highest as ours.
longrun <- function(n, seed, phi) {
	x <- autoregression(n, seed, phi)
	x <- x - mean(x)
	highest <- floor(6 * (n / 100)^0.25)
	fit <- ar(x, aic = TRUE, order.max = highest, demean = FALSE, method = "yule-walker")
	innovation <- fit$var.pred * (n - (fit$order + 1)) / n
	sprintf('{"n": %d, "seed": %d, "phi": %s, "order": %d, "factor": %s}', n, seed, number(phi), fit$order,
		format(innovation / (1 - sum(fit$ar))^2 / mean(x^2), digits = 15))
}

# The largest standardised split of n normal values with m at least on each side: tail probabilities by simulation.
set.seed(1)
largest <- function(n, m, series) {
	t <- m:(n - m)
	replicate(series, {
		x <- rnorm(n)
		s <- cumsum(x - mean(x))[t]
		max(abs(s) * sqrt(n / (t * (n - t))))
	})
}
tails <- function(n, m, series) {
	z <- largest(n, m, series)
	critical <- c(2.5, 3, 3.5)
	sprintf('{"n": %d, "least": %d, "series": %d, "critical": %s, "tail": %s}', n, m, series, number(critical),
		number(sapply(critical, function(c) mean(z > c))))
}

# Slope of a line: two-sided t test, and the rise in residual standard deviations.
slope <- function(n, seed, rise) {
	x <- uniform(n, seed) + rise * (0:(n - 1)) / n
	fit <- summary(lm(x ~ I(0:(n - 1))))
	sprintf('{"n": %d, "seed": %d, "rise": %g, "t": %s, "rise_in_sd": %s}', n, seed, rise,
		format(fit$coefficients[2, 3], digits = 15), format(abs(fit$coefficients[2, 1]) * n / fit$sigma, digits = 15))
}

cat(sprintf('{
 "source": "%s: qnorm(), ar(method = yule-walker), lm(); tails by simulation, set.seed(1)",
 "scores": {"sample": %s, "u": %s, "score": %s},
 "longrun": [%s],
 "largest": [%s],
 "slope": [%s]
}
', R.version.string, number(sample), number(inside), number(scores),
	paste(longrun(300, 5, 0.6), longrun(1000, 6, 0.8), longrun(200, 7, 0.4), longrun(400, 8, c(0.3, 0.4)),
		longrun(2000, 9, c(0.2, 0, 0.5)), sep = ",\n  "),
	paste(tails(100, 5, 40000), tails(500, 30, 40000), tails(1000, 5, 20000), sep = ",\n  "),
	paste(slope(80, 9, 0.5), slope(300, 10, 2), sep = ",\n  ")))
