package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If a page states two gains for one profile, readers trust neither. */
@Tag("people")
class OneGainTest {
  private static final Pattern INTERVAL =
      Pattern.compile("[+-][\\d.]+(?: %)? (?:to|至) [+-][\\d.]+ %");
  private static final Pattern GAIN = Pattern.compile("[+-]\\d+(?:\\.\\d+)? %");

  @ParameterizedTest
  @ValueSource(longs = {3, 11, 12})
  void aPageHasOneGainOfEachProfile(long seed) {
    SweepState state =
        new Night(
                Specs.kernels(8),
                Specs.surface(0.05, 0.005),
                Faults.none().with(Faults.Kind.JOB_FAILS, 0.1),
                Duration.ofMinutes(8),
                seed)
            .run()
            .state();
    assertThat(CellSummary.of(state).getFirst().runs())
        .as("runs beside the gain that they show")
        .isEqualTo(Standings.winner(state).orElseThrow().verdict().runs());
    Set<String> profiles =
        state.spec().profiles().stream().map(Profile::name).collect(Collectors.toSet());
    for (String page :
        List.of(
            TuningReport.of(state, List.of()),
            TuningReport.of(state, List.of(), Phrases.ZH, List.of()))) {
      Set<String> seen = new TreeSet<>();
      for (String profile : profiles) {
        Set<String> gains = gains(page, profile, profiles);
        assertThat(gains).as("gains of %s in %s", profile, page).hasSizeLessThan(2);
        if (!gains.isEmpty()) {
          seen.add(profile);
        }
      }
      assertThat(seen).as("profiles with a gain").hasSizeGreaterThan(4).contains("p3");
    }
  }

  /** From the lines that name only this profile, on the tag that decides. */
  private static Set<String> gains(String page, String profile, Set<String> profiles) {
    return page.lines()
        .filter(line -> named(line, profiles).equals(Set.of(profile)))
        .filter(line -> !line.contains("64KiB"))
        .flatMap(line -> GAIN.matcher(INTERVAL.matcher(line).replaceAll("")).results())
        .map(gain -> gain.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> named(String line, Set<String> profiles) {
    return profiles.stream()
        .filter(profile -> line.contains("`" + profile + "`"))
        .collect(Collectors.toSet());
  }
}
