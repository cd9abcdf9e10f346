# Bootstrap quantiles by R: package boot for one level, plain loops for two and three levels.
# usage: Rscript make_bootstrap.R > bootstrap.json
library(boot)
library(jsonlite)
set.seed(20260101)
replicates <- 100000
probabilities <- c(0.005, 0.025, 0.25, 0.5, 0.75, 0.975, 0.995)

mean_of_means <- function(x) if (is.list(x)) mean(vapply(x, mean_of_means, 0)) else mean(x)
resample <- function(x) {
  drawn <- x[sample.int(length(x), replace = TRUE)]
  if (is.list(drawn)) lapply(drawn, resample) else drawn
}
case <- function(name, data, means) {
  list(name = name, data = data, replicates = length(means), mean = mean_of_means(data),
       probability = probabilities, quantile = unname(quantile(means, probabilities, type = 6)),
       sd = sd(means))
}
flat <- signif(rexp(25) + 1, 6)
flat_means <- boot(flat, function(x, i) mean(x[i]), R = replicates)$t[, 1]
two <- lapply(c(6, 3, 8, 5, 4, 7, 2), function(n) signif(10 + rnorm(1) + rexp(n), 6))
three <- lapply(1:4, function(build) {
  b <- rnorm(1)
  lapply(1:3, function(run) signif(20 + b + 0.5 * rnorm(1) + rnorm(4), 6))
})
large <- lapply(1:4, function(run) signif(5 + rnorm(1) / 10 + rexp(150) * ifelse(runif(150) < 0.02, 5, 1), 6))
cases <- list(
  case("one level, boot::boot", flat, flat_means),
  case("two levels, unequal", two, replicate(replicates, mean_of_means(resample(two)))),
  case("three levels", three, replicate(replicates / 2, mean_of_means(resample(three)))),
  case("two levels, 150 skewed values each", large, replicate(replicates / 2, mean_of_means(resample(large)))))
cat(toJSON(list(source = paste0("make_bootstrap.R, ", R.version.string, ", boot ", packageVersion("boot")),
                cases = cases), digits = NA, auto_unbox = TRUE), "\n", sep = "")
