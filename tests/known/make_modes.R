# Data sets of R with a known number of modes. usage: Rscript make_modes.R > modes.json
library(jsonlite)
cases <- list(
  list(name = "faithful$eruptions: short and long eruptions of Old Faithful", modes = 2, x = faithful$eruptions,
       split = with(list(x = sort(faithful$eruptions)), {
         i <- which.max(ifelse(x[-1] < 4 & x[-length(x)] > 2, diff(x), 0)) # the widest gap in the valley
         (x[i] + x[i + 1]) / 2
       })),
  list(name = "faithful$waiting has the same two groups, overlapping: no gap", modes = 1, x = faithful$waiting),
  list(name = "iris$Petal.Length: setosa apart from the other two", modes = 2, x = iris$Petal.Length, split = 2.5),
  list(name = "morley$Speed", modes = 1, x = morley$Speed),
  list(name = "trees$Height", modes = 1, x = trees$Height),
  list(name = "precip", modes = 1, x = unname(precip)))
cat(toJSON(list(source = paste0("make_modes.R, ", R.version.string, " (package datasets)"), cases = cases),
           digits = NA, auto_unbox = TRUE), "\n", sep = "")
