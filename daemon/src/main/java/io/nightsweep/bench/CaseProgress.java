package io.nightsweep.bench;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.joblog.LogListener;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.PatternSets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Reports how many cases a running job has done, from its programs' logs. */
final class CaseProgress {
  /** The minimum time between two messages. */
  private static final Duration EVERY = Duration.ofSeconds(15);

  private static final String DONE = "kernel case done: ";

  private final JobLog log;
  private final long cases;
  private final Consumer<String> words;
  private Instant told = Instant.EPOCH;
  private long toldOf;

  CaseProgress(List<Path> logs, long cases, Consumer<String> words) {
    log = new JobLog(() -> logs.stream().map(LogFile::shared).toList());
    log.listener(FinishedCases.class, FinishedCases::new);
    this.cases = cases;
    this.words = words;
  }

  void look(Instant now) {
    log.lookOrWait();
    long done = log.listener(FinishedCases.class, FinishedCases::new).count;
    if (done > toldOf && Duration.between(told, now).compareTo(EVERY) >= 0) {
      words.accept("  " + done + " of " + cases + " cases done");
      told = now;
      toldOf = done;
    }
  }

  /** Counts the lines that report a finished case. */
  private static final class FinishedCases implements LogListener {
    private long count;

    @Override
    public PatternSet patterns() {
      return PatternSets.ofWords(List.of(DONE));
    }

    @Override
    public void line(Line line, int[] candidates) {
      count += line.text().startsWith(DONE) ? 1 : 0;
    }
  }
}
