# Variance components by R: aov, lme4, and expected sums of squares from projection matrices.
# usage: Rscript make_variance.R > variance.json
suppressMessages({library(lme4); library(jsonlite)})
set.seed(20260102)

# Data frame with factors f1 (outermost) … f(depth-1) from a list of counts, one vector per level.
simulate <- function(counts, sds) {
  node <- function(level, path, effect) {
    if (level > length(counts)) return(NULL)
    n <- if (length(counts[[level]]) == 1) counts[[level]] else sample(counts[[level]], 1)
    if (level == length(counts))
      return(data.frame(rbind(path)[rep(1, n), , drop = FALSE], y = signif(effect + sds[level] * rnorm(n), 7), row.names = NULL))
    do.call(rbind, lapply(1:n, function(i) node(level + 1, c(path, i), effect + sds[level] * rnorm(1))))
  }
  d <- node(1, c(), 100)
  depth <- length(counts)
  if (depth > 1) for (l in 1:(depth - 1)) # nested labels: 1, 1.2, 1.2.3
    d[[paste0("f", l)]] <- factor(do.call(paste, c(d[seq_len(l)], sep = ".")), levels = unique(do.call(paste, c(d[seq_len(l)], sep = "."))))
  d
}
nest <- function(d, l, depth) {
  if (l == depth) return(I(d$y)) # an array even of one
  f <- factor(d[[paste0("f", l)]], levels = unique(d[[paste0("f", l)]]))
  unname(lapply(split(d, f), nest, l + 1, depth))
}
projection <- function(f) { z <- model.matrix(~ f - 1); z %*% solve(crossprod(z)) %*% t(z) }
# E y'(P_l - P_{l-1})y = sum_m tr(Z_m' (P_l - P_{l-1}) Z_m) T_m, solved for T
henderson <- function(d, depth) {
  n <- nrow(d)
  z <- c(lapply(seq_len(depth - 1), function(l) model.matrix(~ d[[paste0("f", l)]] - 1)), list(diag(n)))
  p <- c(list(matrix(1 / n, n, n)), lapply(seq_len(depth - 1), function(l) projection(d[[paste0("f", l)]])), list(diag(n)))
  q <- lapply(seq_len(depth), function(l) p[[l + 1]] - p[[l]])
  ss <- sapply(q, function(m) drop(t(d$y) %*% m %*% d$y))
  coefficients <- outer(1:depth, 1:depth, Vectorize(function(l, m) sum(diag(t(z[[m]]) %*% q[[l]] %*% z[[m]]))))
  solve(coefficients, ss)
}
reml <- function(d, depth) {
  terms <- paste0("(1|f", seq_len(depth - 1), ")", collapse = "+")
  fit <- lmer(as.formula(paste("y ~", terms)), d, control = lmerControl(optCtrl = list(xtol_rel = 1e-12, ftol_rel = 1e-14)))
  v <- as.data.frame(VarCorr(fit))
  c(v$vcov[match(paste0("f", seq_len(depth - 1)), v$grp)], v$vcov[v$grp == "Residual"])
}
# Mean squares of aov for balanced data -> T
by_aov <- function(d, depth) {
  a <- anova(aov(as.formula(paste("y ~", paste0("f", seq_len(depth - 1), collapse = "+"))), d))
  ms <- a[["Mean Sq"]]
  below <- nrow(d) / sapply(seq_len(depth - 1), function(l) nlevels(d[[paste0("f", l)]]))
  c((ms[seq_len(depth - 1)] - ms[2:depth]) / below, ms[depth])
}
case <- function(name, counts, sds, balanced) {
  d <- simulate(counts, sds); depth <- length(counts)
  out <- list(name = name, balanced = balanced, data = nest(d, 1, depth), t2 = henderson(d, depth), lme4 = reml(d, depth))
  if (balanced) out$aov <- by_aov(d, depth)
  out
}
cases <- list(
  case("2 levels", list(12, 6), c(2, 3), TRUE),
  case("3 levels", list(8, 4, 5), c(3, 2, 1), TRUE),
  case("4 levels", list(7, 4, 3, 3), c(3, 2, 1.5, 1), TRUE),
  case("2 levels unbalanced", list(15, 2:9), c(2, 1), FALSE),
  case("3 levels unbalanced", list(10, 1:5, 2:6), c(3, 2, 1), FALSE),
  case("4 levels unbalanced", list(8, 2:4, 1:4, 1:5), c(3, 2, 2, 1), FALSE))
cat(toJSON(list(source = paste0("make_variance.R, ", R.version.string, ", lme4 ", packageVersion("lme4")),
                cases = cases), digits = NA, auto_unbox = TRUE), "\n", sep = "")
