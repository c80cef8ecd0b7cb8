package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.joblog.StepTeller;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.TrialId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A training log in which each line adds something to remember. */
@Tag("guard")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("slow")
class HostileTrainingLogTest {
  private static final int LINES = 300_000;

  private static final String STEP =
      "completed step: @STEP@, seconds: 25.250, TFLOP/s/device: 402.1, MFU: 17.5%, "
          + "Tokens/s/device: 1135.700, total_weights: 917504, loss: 8.125";

  private static final String LONGEST_FIGURES =
      ", seconds: 1.2345678901234567e-101, Tokens/s/device: 2.3456789012345678e-102,"
          + " loss: -3.4567890123456789e-103";

  private final TrainingLog log = new TrainingLog(Set.of("XLA_FLAGS"), StepTeller.NOBODY);
  private long lines;

  @Test
  void ranksThatPrintAnEnvironmentEachAreNotAllHeld() {
    say("0: XLA_FLAGS=--xla_a=1");
    for (int i = 1; i < LINES; i++) {
      say(i + ": XLA_FLAGS=" + "x".repeat(100) + i);
    }
    assertThat(log.environments()).hasSizeBetween(1, 10_000);
    assertThat(log.environments().getFirst()).containsEntry("XLA_FLAGS", "--xla_a=1");
  }

  @Test
  void stepsFlagsAndVersionsWithoutEndAreNotAllHeld() {
    for (int i = 0; i < LINES; i++) {
      say("0: F1121 parse_flags_from_env.cc:234] Unknown flag(s) in XLA_FLAGS: --xla_" + i);
      say("0: " + InstalledMaxText.PROVENANCE + "jax=0." + i);
    }
    for (int i = 0; i < LINES; i++) {
      say("0: " + STEP.replace("@STEP@", "" + i));
      say("0: completed profiler activation step: " + i);
    }
    assertThat(log.series(StepLine::tgs)).hasSizeBetween(1000, 200_000);
    assertThat(log.profilerSteps()).hasSizeLessThan(20_000);
    assertThat(log.unknownFlags()).hasSizeBetween(100, 1000);
    assertThat(String.join("", log.provenance().values())).hasSizeLessThan(10_000);
  }

  /** A journal line of more than 16 MiB would lose the whole sweep at the next start. */
  @Test
  void theJournalReadsBackTheMostThatIsHeldOfAJob(@TempDir Path dir) throws Exception {
    for (int i = 0; i < LINES / 2; i++) {
      say("0: completed step: " + (1_999_999_999 - i) + LONGEST_FIGURES);
    }
    AttemptId attempt = new TrialId(1).attempt(1);
    Measurement held =
        new Measurement(1, log.series(StepLine::tgs), 0, 0, Collections.emptySortedMap());
    Path file = dir.resolve("journal.jsonl");
    try (FileJournal journal = UnsyncedJournal.open(file, entry -> {})) {
      journal.append(
          Instant.EPOCH, List.of(new Event.AttemptJudged(attempt, new Judgement.Measured(held))));
    }
    List<Entry> read = new ArrayList<>();
    JournalReader.read(file, read::add);
    assertThat(read).hasSize(1);
    assertThat(held.steps()).hasSizeGreaterThan(50_000);
  }

  /** Each beginning would be compared with the whole rest of the line. */
  @Test
  void aLineThatBeginsToRefuseAFlagManyTimesIsReadInTimeThatGrowsWithItsLength() {
    String line = "Couldn't interpret value ".repeat(2_600);
    for (int i = 0; i < 200; i++) {
      say(line);
    }
    assertThat(log.unknownFlags()).isEmpty();
  }

  private void say(String text) {
    lines++;
    log.line(Line.of(Path.of("log"), Rank.NONE, lines, lines, lines, text), new int[0]);
  }
}
