# irace (F-test racing) with its defaults, driven through standard input and output. It gets all profiles as initial
# configurations. Lines in: "night SEED EXPERIMENTS NAME NAME ...". Lines out, each marked with "@": "run NAME", answered
# by a metric (more is better) or by "failed"; "pick NAME" ends the night.
suppressPackageStartupMessages(library(irace))
answers <- file("stdin", "r")
# Separate from the standard output, to which irace writes its tables.
questions <- file("/dev/stdout", "w")
ask <- function(...) {
  cat("@", ..., "\n", sep = "", file = questions)
  flush(questions)
}

runner <- function(experiment, scenario) {
  ask("run ", experiment$configuration[["profile"]])
  answer <- readLines(answers, 1)
  # An infinite cost rejects a configuration permanently.
  list(cost = if (answer == "failed") Inf else -as.numeric(answer))
}

while (length(line <- readLines(answers, 1)) > 0) {
  words <- strsplit(line, " ", fixed = TRUE)[[1]]
  names <- words[-(1:3)]
  parameters <- readParameters(text = paste0('profile "" c (', paste(names, collapse = ","), ")"))
  initial <- tempfile(fileext = ".txt")
  writeLines(c("profile", names), initial)
  scenario <- list(
    targetRunner = runner, instances = 1:1000, maxExperiments = as.integer(words[3]), seed = as.integer(words[2]),
    configurationsFile = initial, logFile = "", debugLevel = 0
  )
  pick <- tryCatch({
    capture.output(best <- irace(scenario = scenario, parameters = parameters), file = stderr())
    best[1, "profile"]
  }, error = function(e) { message(conditionMessage(e)); "none" })
  unlink(initial)
  ask("pick ", pick)
}
