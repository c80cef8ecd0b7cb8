package io.nightsweep.workload.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.joblog.StepTeller;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines of a command that cost more time than they seem to. */
@Tag("guard")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("slow")
class HostileOutputTest {
  /** On a line of this many commas, it takes years. */
  private static final Pattern BACK_AND_FORTH =
      Pattern.compile("(?<step>\\d+).*,.*,.*,.*,.*,.*,.* (?<value>[\\d.]+) items/s");

  private static final String COMMAS = "1" + ",".repeat(900);

  @Test
  void aPatternThatTakesForEverOverALineTakesItForNoStep() {
    CommandOutput output = new CommandOutput(BACK_AND_FORTH, 5, StepTeller.NOBODY);
    output.line(line(COMMAS), new int[0]);
    output.line(line("3, , , , , , 1.5 items/s"), new int[0]);
    assertThat(output.steps())
        .extracting(s -> s.index() + "=" + s.value())
        .containsExactly("3=1.5");
  }

  @Test
  void andOverManyLinesItCostsTheAttempt() {
    CommandOutput output = new CommandOutput(BACK_AND_FORTH, 5, StepTeller.NOBODY);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                output.line(line(COMMAS), new int[0]);
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("workload.pattern backtracks without end on 101 lines")
        .hasMessageContaining("1,,,,");
  }

  /** A daemon has 192 MiB for all its sweeps. */
  @Test
  void stepsAndAttestationsWithoutEndAreNotHeld() {
    CommandOutput output =
        new CommandOutput(Pattern.compile("s(?<step>\\d+) (?<value>\\d+)"), 5, StepTeller.NOBODY);
    output.line(line(CommandWorkload.ATTEST + "NIGHTSWEEP_PROFILE_HASH=a1"), new int[0]);
    for (int i = 0; i < 50_000; i++) {
      output.line(line("s" + i + " 7"), new int[0]);
      output.line(line(CommandWorkload.ATTEST + "V" + i + "=" + "x".repeat(100)), new int[0]);
    }
    assertThat(output.lastStep()).isEqualTo(49_999);
    assertThat(output.steps()).hasSizeBetween(5, 20_000);
    assertThat(output.seen()).containsEntry("NIGHTSWEEP_PROFILE_HASH", "a1");
    assertThat(output.seen()).hasSizeLessThan(20_000);
  }

  /**
   * Each word that may begin a missing file's name would be compared with the whole rest of the
   * line.
   */
  @Test
  void aLineOfWordsThatMayBeginAMissingFileIsReadInTimeThatGrowsWithItsLength() {
    CommandOutput output =
        new CommandOutput(Pattern.compile("(?<step>\\d) (?<value>\\d)"), 5, StepTeller.NOBODY);
    Line line = line("env".repeat(400_000));
    for (int i = 0; i < 5; i++) {
      output.line(line, new int[0]);
    }
    assertThat(output.steps()).isEmpty();
  }

  private static Line line(String text) {
    return Line.of(Path.of("job.log"), Rank.NONE, 1, 1, 1, text);
  }
}
