# Answers of R for the weighted line over work amounts: lm with weights 1/t^2 (t the fitted time, not below half the shortest round; first
# unweighted, then three times), HC3 by hand from hatvalues (MacKinnon and White 1985), a square term with HC3, and the widening where
# neighbours are alike, from the whole matrix r^|i-j|. Base R alone. usage: Rscript make_work_line.R > work_line.json
uniform <- function(n, seed) { out <- numeric(n); for (i in seq_len(n)) { seed <- (seed * 16807) %% 2147483647; out[i] <- seed / 2147483647 }; out }
hc3 <- function(model) {
	X <- model.matrix(model); w <- weights(model); h <- hatvalues(model); e <- residuals(model) / pmax(1 - h, 0.05)
	A <- solve(t(X) %*% (w * X))
	A %*% (t(X) %*% ((w * e)^2 * X)) %*% A
}
numbers <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")
case <- function(name, x, y) {
	least <- min(y) / 2
	model <- lm(y ~ x)
	for (i in 1:3) {
		w <- 1 / pmax(fitted(model), least)^2
		model <- lm(y ~ x, weights = w)
	}
	n <- length(x); V <- hc3(model); usual <- vcov(model)
	rest <- residuals(model) * sqrt(w)
	r <- sum(rest[-1] * rest[-n]) / sum(rest^2)
	r <- min(max(r + (2 + 4 * r) / n, 0), 0.95)
	X <- model.matrix(model)
	parts <- solve(t(X) %*% (w * X)) %*% t(w * X) %*% diag(1 / sqrt(w))
	R <- r^abs(outer(seq_len(n), seq_len(n), "-")); if (r == 0) R <- diag(n)
	widening <- sqrt(pmax(1, diag(parts %*% R %*% t(parts)) / rowSums(parts^2)))
	square <- lm(y ~ x + I(x^2), weights = w)
	t <- coef(square)[3] / sqrt(hc3(square)[3, 3])
	sprintf('{"name": "%s", "work": %s, "seconds": %s, "intercept": %.17g, "slope": %.17g, "intercept_variance": %.17g, "slope_variance": %.17g, "covariance": %.17g, "intercept_se": %.17g, "slope_se": %.17g, "relative_sd": %.17g, "leverage": %.17g, "intercept_factor": %.17g, "slope_factor": %.17g, "curvature_p": %.17g, "error_at_100": %.17g}',
		name, numbers(x), numbers(y), coef(model)[1], coef(model)[2], V[1, 1], V[2, 2], V[1, 2], sqrt(max(V[1, 1], usual[1, 1])), sqrt(max(V[2, 2], usual[2, 2])),
		summary(model)$sigma, max(hatvalues(model)), widening[1], widening[2], 2 * pt(-abs(t), n - 3),
		sqrt(max(0, sum(c(1, 100) * (V %*% c(1, 100))))) * max(widening))
}
x <- round(10 + 30 * uniform(24, 7), 2)
noise <- uniform(24, 11) - 0.5
drift <- as.numeric(filter(uniform(24, 13) - 0.5, 0.9, method = "recursive"))
cat(paste0("{\"source\": \"R ", getRversion(), ", make_work_line.R\",\n\"cases\": [\n", paste(
	case("in proportion", x, round((1 + x / 20) * (1 + 0.1 * noise), 6)),
	case("drift", x, round((1 + x / 20) * (1 + 0.05 * drift), 6)),
	case("drift, rising amounts", sort(x), round((1 + sort(x) / 20) * (1 + 0.05 * drift), 6)),
	case("bent", x, round(1 + x / 20 + x^2 / 500 + 0.02 * noise, 6)),
	case("few", x[1:4], round((1 + x[1:4] / 20) * (1 + 0.1 * noise[1:4]), 6)),
	case("intercept below zero", x, round(-0.2 + x / 20 + 0.05 * noise, 6)),
	sep = ",\n"), "\n]}\n"))
