# Answers for tests/stats/test_fleet.c from R's own functions.
# usage: Rscript make_fleet.R > fleet.json
number <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")

# Limits of a - b by Ting, Burdick, Graybill, Jeyaratnam and Lu (1990), written down from the paper's formulas.
ting <- function(a, na, b, nb, tail) {
  G1 <- 1 - 1 / (qchisq(tail, na, lower.tail = FALSE) / na); H1 <- 1 / (qchisq(tail, na) / na) - 1
  G2 <- 1 - 1 / (qchisq(tail, nb, lower.tail = FALSE) / nb); H2 <- 1 / (qchisq(tail, nb) / nb) - 1
  F <- qf(tail, na, nb, lower.tail = FALSE); f <- qf(tail, na, nb)
  L <- G1^2 * a^2 + H2^2 * b^2 + ((F - 1)^2 - G1^2 * F^2 - H2^2) / F * a * b
  U <- H1^2 * a^2 + G2^2 * b^2 + ((1 - f)^2 - H1^2 * f^2 - G2^2) / f * a * b
  c(a - b - sqrt(max(L, 0)), a - b + sqrt(max(U, 0)))
}

case <- function(name, x, v, df, stratum) {
  k <- length(x); S <- length(unique(stratum))
  fit <- if (S > 1) lm(x ~ factor(stratum)) else lm(x ~ 1)
  s <- summary(fit)$sigma; nu <- fit$df.residual
  pool <- mean(x) + c(-1, 1) * qt(0.995, nu) * s / sqrt(k)
  if (S == 1) stopifnot(all.equal(pool, as.numeric(t.test(x, conf.level = 0.99)$conf.int)))
  following <- predict(lm(x ~ 1), data.frame(row.names = 1), interval = "prediction", level = 0.99)[1, 2:3]
  within <- mean(v); within_df <- sum(v)^2 / sum(v^2 / df)
  these <- mean(x) + c(-1, 1) * qt(0.995, within_df) * sqrt(sum(v)) / k
  strata <- sapply(sort(unique(stratum)), function(i) mean(x[stratum == i]))
  strata_half <- sapply(sort(unique(stratum)), function(i) qt(0.995, nu) * s / sqrt(sum(stratum == i)))
  limits <- sqrt(pmax(ting(s^2, nu, within, within_df, 0.025), 0))
  # Not beyond what the machine scatters by itself.
  rest <- lm.influence(fit)$sigma^2
  t <- rstudent(fit) * sqrt(rest / pmax(rest, v)); t[!is.finite(t)] <- 0; odd <- which.max(abs(t))
  sprintf('  {
   "name": "%s", "mean": %s, "variance": %s, "df": %s, "stratum": %s,
   "pool": %s, "these": %s, "next": %s,
   "strata": %s, "strata_half": %s,
   "sd": %.17g, "sd_interval": %s, "f": %.17g, "p": %.17g,
   "odd": %d, "odd_t": %.17g, "odd_p": %.17g
  }', name, number(x), number(v), number(df), number(stratum), number(pool), number(these), number(following),
    number(strata), number(strata_half), sqrt(max(s^2 - within, 0)), number(limits), s^2 / within,
    pf(s^2 / within, nu, within_df, lower.tail = FALSE), odd - 1, t[odd],
    min(1, 2 * k * pt(-abs(t[odd]), nu - 1)))
}

cases <- c(
  case("five alike", c(0.0101, 0.0093, 0.0108, 0.0097, 0.0113), c(4, 3, 5, 4, 6) * 1e-7, c(19, 19, 24, 19, 9), rep(0, 5)),
  case("eight, one odd", c(0.021, 0.019, 0.0205, 0.0188, 0.0197, 0.0313, 0.0201, 0.0192), rep(2.5e-7, 8), rep(29, 8),
       rep(0, 8)),
  case("two kinds of CPU", c(0.001, 0.003, 0.002, 0.0035, 0.041, 0.039, 0.0425, 0.0405, 0.0398),
       c(1, 1.5, 1, 2, 3, 2, 2.5, 4, 3) * 1e-7, c(9, 9, 9, 9, 14, 14, 14, 14, 14), c(0, 0, 0, 0, 1, 1, 1, 1, 1)),
  case("a kind with one machine", c(-0.01, -0.012, -0.009, 0.02, -0.0115, -0.0105), rep(1e-7, 6), rep(4, 6),
       c(0, 0, 0, 1, 0, 0)))
machines <- sapply(c(0.001, 0.003, 0.005, 0.01, 0.02), function(sd) {
  k <- 2
  while (qt(0.995, k - 1) * sqrt(sd^2 + 0.01^2 / 20) / sqrt(k) > 0.01) k <- k + 1
  k
})
cat(sprintf('{
 "source": "%s: lm, rstudent, predict(interval = \\"prediction\\"), t.test, pf, qchisq, qf; 99 %% (sd: 95 %%)",
 "cases": [
%s
 ],
 "interaction_sd": [0.001, 0.003, 0.005, 0.01, 0.02],
 "machines": %s
}
', R.version.string, paste(cases, collapse = ",\n"), number(machines)))
