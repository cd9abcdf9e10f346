# Answers of R for the classical statistics: distributions, quantile types, intervals, Welch, Mann-Whitney,
# autocorrelation, Ljung-Box, regression. usage: Rscript make_classical.R > classical.json
suppressPackageStartupMessages(library(jsonlite))
stopifnot(packageVersion("base") >= "4.0.0")

# Park and Miller's generator: exact in doubles here and in C, so long series need not be stored.
uniform <- function(n, seed) {
	out <- numeric(n)
	for (i in seq_len(n)) {
		seed <- (seed * 16807) %% 2147483647
		out[i] <- seed / 2147483647
	}
	out
}
ar <- function(n, seed, phi) {
	e <- uniform(n, seed) - 0.5
	as.numeric(filter(e, phi, method = "recursive"))
}

p <- c(1e-9, 1e-6, 0.001, 0.005, 0.025, 0.05, 0.25, 0.4, 0.6, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9995)
df <- c(0.5, 1, 1.5, 2, 3, 4, 5, 7.7, 9, 27.754155834018594, 30, 100, 1000, 1e6)
t_grid <- expand.grid(p = p, df = df)
t_cdf <- expand.grid(x = c(-40, -3.2, -0.4, 0, 1e-3, 1.96, 12), df = df)
f_grid <- expand.grid(f = c(0.01, 0.5, 1, 3.4, 21, 201), df1 = c(1, 2, 7.5, 10), df2 = c(1, 4.4, 16, 1800))
chi2_grid <- expand.grid(x = c(0.001, 1, 5.3, 40, 300), df = c(0.5, 1, 3, 10, 55))
beta_grid <- expand.grid(p = c(1e-6, 0.005, 0.025, 0.5, 0.95, 0.995), a = c(0.5, 1, 3, 30, 400), b = c(0.5, 1, 2, 71, 1e4))

samples <- list(c(3.1), c(2, 1), c(5, 1, 4), c(1, 2, 2, 7, 8.5, 10), round(uniform(17, 4), 6), round(uniform(40, 5), 2))
probabilities <- c(0, 0.01, 0.025, 0.05, 0.1, 0.25, 0.35, 0.5, 0.6, 0.75, 0.9, 0.95, 0.99, 1)
quantiles <- lapply(samples, function(x) list(x = I(x), mad = mad(x, constant = 1),
	types = lapply(1:9, function(type) quantile(x, probabilities, type = type, names = FALSE))))

median_ranks <- expand.grid(n = c(1:12, 20, 25, 30, 100, 1001, 10000), level = c(0.9, 0.95, 0.99))
median_ranks$k <- qbinom((1 - median_ranks$level) / 2, median_ranks$n, 0.5)

trials <- list(c(0, 1), c(0, 10), c(1, 10), c(11, 20), c(30, 30), c(3, 1000), c(999, 1000), c(123456, 1000000))
proportions <- lapply(trials, function(k) lapply(c(0.9, 0.95, 0.99), function(level) list(
	successes = k[1], n = k[2], level = level,
	clopper_pearson = as.numeric(binom.test(k[1], k[2], conf.level = level)$conf.int),
	wilson = as.numeric(suppressWarnings(prop.test(k[1], k[2], conf.level = level, correct = FALSE)$conf.int)))))

pairs <- list(list(a = c(1, 2, 1, 1), b = c(5, 5, 6, 5)),
	list(a = 10 + round(uniform(12, 11), 5), b = 10.2 + round(2 * uniform(7, 12), 5)),
	list(a = round(uniform(30, 13), 4), b = round(0.1 + uniform(45, 14), 4)),
	list(a = c(1e6 + 1, 1e6 + 2, 1e6 + 4), b = c(1e6 + 3, 1e6 + 9)))
welch <- lapply(pairs, function(s) {
	test <- t.test(s$a, s$b, conf.level = 0.99)
	list(a = s$a, b = s$b, t = test$statistic[[1]], df = test$parameter[[1]], p = test$p.value,
		low = test$conf.int[1], high = test$conf.int[2])
})

# Every assignment of the pooled values: the two-sided p is twice the smaller tail.
enumerate <- function(a, b) {
	ranks <- rank(c(a, b))
	sums <- combn(length(ranks), length(a), function(chosen) sum(ranks[chosen]))
	seen <- sum(ranks[seq_along(a)])
	min(1, 2 * min(mean(sums <= seen + 1e-9), mean(sums >= seen - 1e-9)))
}
rank_pairs <- list(list(a = c(1.1, 2.3, 0.4), b = c(5.5, 3.2, 1.7, 9.9)), list(a = 1:10, b = 4:16 + 0.5),
	list(a = round(uniform(30, 21), 6), b = round(0.2 + uniform(40, 22), 6)), list(a = 3, b = c(1, 2, 4, 5, 6)))
untied <- lapply(rank_pairs, function(s) {
	test <- wilcox.test(s$a, s$b, exact = TRUE)
	list(a = I(s$a), b = s$b, u = test$statistic[[1]], p = test$p.value)
})
tie_pairs <- list(list(a = c(1, 1, 2, 3), b = c(1, 2, 2, 4, 5)), list(a = c(1, 2, 2, 2, 7), b = c(2, 2, 3, 7, 7, 9)),
	list(a = c(10, 20, 20, 20, 30, 30, 40), b = c(20, 30, 30, 30, 40, 40, 50, 50)), list(a = c(1, 1), b = c(1, 1, 2, 3)))
tied <- lapply(tie_pairs, function(s) c(s, list(p = enumerate(s$a, s$b))))
many_a <- round(20 * uniform(300, 31))
many_b <- round(22 * uniform(400, 32))
many_test <- wilcox.test(many_a, many_b, exact = FALSE, correct = TRUE)
many <- list(rule_a = "round(20 u), 300 from seed 31", rule_b = "round(22 u), 400 from seed 32",
	u = many_test$statistic[[1]], p = many_test$p.value)

short <- round(10 + ar(60, 41, 0.6), 5)
long <- ar(3000, 42, 0.9)
box <- function(x, lags) {
	test <- Box.test(x, lags, type = "Ljung-Box")
	list(lags = lags, statistic = test$statistic[[1]], p = test$p.value)
}
some_lags <- c(1, 2, 5, 50, 500, 1500, 2999)
series <- list(short = short, short_acf = as.numeric(acf(short, 59, plot = FALSE)$acf)[-1],
	short_box = lapply(c(1, 5, 10, 20), function(lags) box(short, lags)),
	long_rule = "x = 0.9 x + (u - 0.5), 3000 from seed 42", long_lags = some_lags,
	long_acf = as.numeric(acf(long, 2999, plot = FALSE)$acf)[some_lags + 1], long_box = lapply(c(10, 100), function(lags) box(long, lags)))

x <- c(10, 20, 20, 35, 50, 80, 100, 130, 200, 210)
y <- c(3.1, 4.2, 4.4, 5.9, 7.7, 10.4, 12.6, 16.1, 23.0, 24.6)
fit <- lm(y ~ x)
through_origin <- summary(lm(y ~ 0 + x))$coefficients
line <- list(x = x, y = y, intercept = coef(fit)[[1]], slope = coef(fit)[[2]],
	intercept_interval = as.numeric(confint(fit, level = 0.95)[1, ]), slope_interval = as.numeric(confint(fit, level = 0.95)[2, ]),
	critical = qt(0.975, 8), prediction_at = c(0, 90, 400),
	prediction = predict(fit, data.frame(x = c(0, 90, 400)), interval = "prediction", level = 0.95)[, c("lwr", "upr")],
	origin_slope = through_origin[1, 1], origin_se = through_origin[1, 2],
	curvature_p = anova(fit, lm(y ~ x + I(x^2)))[["Pr(>F)"]][2])

cat(toJSON(list(
	source = paste0(R.version.string, ": qnorm, pnorm, qt, pt, pf, pchisq, qbeta, quantile, mad, qbinom, binom.test, ",
		"prop.test, t.test, wilcox.test, acf, Box.test, lm; tied Mann-Whitney by enumeration"),
	normal = list(p = p, quantile = qnorm(p), x = c(-38, -3, -0.5, 0, 1, 8), cdf = pnorm(c(-38, -3, -0.5, 0, 1, 8))),
	t_quantile = c(t_grid, list(value = qt(t_grid$p, t_grid$df))),
	t_cdf = c(t_cdf, list(value = pt(t_cdf$x, t_cdf$df))),
	f_upper = c(f_grid, list(value = pf(f_grid$f, f_grid$df1, f_grid$df2, lower.tail = FALSE))),
	chi2_upper = c(chi2_grid, list(value = pchisq(chi2_grid$x, chi2_grid$df, lower.tail = FALSE))),
	beta_quantile = c(beta_grid, list(value = qbeta(beta_grid$p, beta_grid$a, beta_grid$b))),
	quantile_p = probabilities, quantiles = quantiles, median_ranks = as.list(median_ranks),
	proportions = unlist(proportions, recursive = FALSE), welch = welch,
	mann_whitney = list(untied = untied, tied = tied, many = many), series = series, line = line),
	digits = I(17), auto_unbox = TRUE, pretty = FALSE), "\n")
