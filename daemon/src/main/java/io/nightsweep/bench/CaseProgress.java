package io.nightsweep.bench;

import io.nightsweep.workload.LogCursor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Tells how many cases a job has done while it runs, from its programs' logs. */
final class CaseProgress {
  /** Short cases are told of together. */
  private static final Duration EVERY = Duration.ofSeconds(15);

  private static final String DONE = "kernel case done: ";

  private final List<LogCursor> logs;
  private final long cases;
  private final Consumer<String> words;
  private Instant told = Instant.EPOCH;
  private long done;
  private long toldOf;

  CaseProgress(List<Path> logs, long cases, Consumer<String> words) {
    this.logs = logs.stream().map(LogCursor::new).toList();
    this.cases = cases;
    this.words = words;
  }

  void look(Instant now) {
    for (LogCursor log : logs) {
      done += log.newLines().stream().filter(line -> line.startsWith(DONE)).count();
    }
    if (done > toldOf && Duration.between(told, now).compareTo(EVERY) >= 0) {
      words.accept("  " + done + " of " + cases + " cases done");
      told = now;
      toldOf = done;
    }
  }
}
