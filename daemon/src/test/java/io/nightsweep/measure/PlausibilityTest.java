package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which gain is implausible, depending on the scatter of the baseline's own runs. */
@Tag("people")
class PlausibilityTest {
  /** The metric's values: a candidate's run, then the baseline's runs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a quiet machine             | 212  | 100 101 99     | true
          within the limit            | 199  | 100 101 99     | false
          a machine under load        | 390  | 100 60 150     | false
          beyond what its load does   | 410  | 100 60 150     | true
          a broken baseline run hides | 250  | 100 101 3300   | true
          nor does it make one        | 150  | 100 101 3      | false
          two tell of no noise        | 250  | 100 120        | true
          nothing to hold it against  | 3300 |                | false
          """)
  void aGainIsBeyondBeliefBeyondTheLimitAndTheNoise(
      String what, double run, String baseline, boolean implausible) {
    List<Double> runs =
        baseline == null
            ? List.of()
            : Arrays.stream(baseline.split(" ")).map(Double::valueOf).map(Math::log).toList();
    assertThat(new Plausibility(1).implausibleGain(Math.log(run), runs).isPresent())
        .as(what)
        .isEqualTo(implausible);
  }
}
