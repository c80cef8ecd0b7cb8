package io.nightsweep.workload.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Measurement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the steps that a command prints are counted. */
@Tag("people")
class CommandOutputTest {
  /**
   * @param printed the numbers of the steps, in the order in which they are printed
   * @param counted the steps from 0
   * @param told the step shown at each line
   */
  @ParameterizedTest
  @CsvSource({
    "0 1 2 3,       0 1 2 3,   0 1 2 3",
    "1 2 3 4,       0 1 2 3,   0 1 2 3",
    // Each of two ranks prints each step.
    "1 1 2 2 3 3,   0 1 2,     0 0 1 1 2 2",
    // One rank is a step ahead of the other, and the other's first step shows where both start
    // counting.
    "1 0 1 2 2,     0 1 2,     0 0 1 2 2",
    "2 1 2 3 3,     0 1 2,     2 0 1 2 2",
    // A job that continues an earlier one does not show the first step.
    "7 8 9,         7 8 9,     7 8 9",
    // A restart within the job counts again from the start.
    "1 2 3 1 2 3 4, 0 1 2 3,   0 1 2 0 1 2 3",
    // Only every tenth step.
    "0 10 20,       0 10 20,   0 10 20",
    "10 20 30,      10 20 30,  10 20 30",
  })
  void stepsAreCountedFromTheFirstWhetherItIsZeroOrOne(
      String printed, String counted, String told) {
    List<Integer> shown = new ArrayList<>();
    CommandOutput output =
        new CommandOutput(
            Pattern.compile("step (?<step>\\d+) (?<value>\\d+)"),
            10,
            (line, step) -> shown.add(step.index()));
    for (int number : numbers(printed)) {
      output.line(
          Line.of(Path.of("job.log"), Rank.NONE, 1, 1, 1, "step " + number + " 7"), new int[0]);
    }
    assertThat(output.steps().stream().map(Measurement.MeasuredStep::index))
        .containsExactlyElementsOf(numbers(counted));
    assertThat(output.lastStep()).isEqualTo(numbers(counted).getLast());
    assertThat(shown).isEqualTo(numbers(told));
  }

  private static List<Integer> numbers(String text) {
    return Arrays.stream(text.split(" ", -1)).map(Integer::valueOf).toList();
  }
}
