package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two sweeps are compared. */
@Tag("people")
class CompareTest extends OverPastNights {
  private static final Metric NIGHT_METRIC = SweepState.fold(NIGHT).spec().metric();

  @Test
  void twoNightsOfACellAreComparedWithIntervals() throws IOException {
    sweep("monday", NIGHT.size());
    night("tuesday", PastNights.ofFewProfiles(0.08, 8));
    night("wednesday", PastNights.ofFewProfiles(0.02, 9));
    String alike = say("compare", "monday", "tuesday").out();
    assertThat(alike)
        .containsPattern(
            "baseline of B over A: [+-]0\\.\\d % \\([+-]\\d\\.\\d to [+-]\\d\\.\\d %\\)")
        .containsPattern("p3 +\\+8\\.\\d % +\\d+ +\\+[78]\\.\\d % +\\d+")
        .doesNotContainPattern("p3.*changed");
    assertThat(say("compare", "monday", "wednesday").out())
        .containsPattern("p3.*\\(-.* to -.* %\\)  changed");
    assertThat(say("compare", "monday", "wednesday", "--json").out())
        .contains("\"profile\":\"p3\"", "\"lowPercent\":-");
    assertThat(alike).as("a single run").containsPattern("p\\d.* 1  [+-]\\d.*too few runs");
    assertThat(alike)
        .as("the gain that the report publishes")
        .contains(String.format(Locale.ROOT, "%+.1f", ((SweepEnding.Won) ending(NIGHT)).percent()));
    night("halted", NIGHT.subList(0, 1));
    assertThat(say("compare", "monday", "halted").out())
        .contains("baseline of B over A: not known, since one of them measured no baseline");
    Typed unknown = say("compare", "monday", "tuesdy");
    assertThat(unknown.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(unknown.err()).contains("did you mean 'tuesday'?");
  }

  /** A time falls by at most 100 %, so a larger gain needs a word. */
  @Test
  void aReportOfATimeSaysWhatAGainIs() throws IOException {
    Metric seconds = new Metric("sortTime", "s", Metric.Better.LOWER);
    night("timed", nightOf("sort", seconds, "sort data"));
    assertThat(say("report", "--sweep", "timed").out())
        .contains("`sortTime` in s, lower is better (a gain of +100 % is half of it)");
    night("served", NIGHT);
    assertThat(say("report", "--sweep", "served").out())
        .contains("B/s, higher is better\n")
        .doesNotContain("is half");
  }

  /** A baseline in MB/s divided by one in seconds has no meaning. */
  @Test
  void sweepsOfOtherProgramsAreComparedWithoutAFigureOfTheirBaselines() throws IOException {
    Metric seconds = new Metric("busbwBytesPerSecond", "s", Metric.Better.LOWER);
    night("sorted", NIGHT);
    night("hashed", nightOf("openssl", seconds, "set -e\nopenssl speed\ndate"));
    night("timed", nightOf("openssl", seconds, "set -e\ntime openssl speed\ndate"));
    night("served", nightOf("nginx", NIGHT_METRIC, "set -e\nab -n 9"));
    assertThat(say("compare", "sorted", "served").out())
        .contains(
            "not the same  model: allreduce and nginx\n",
            "not the same  workload.command: - and set -e ...\n",
            "baseline of B over A: not shown, since A and B measure different things\n");
    Typed refused = say("compare", "sorted", "hashed");
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.out()).doesNotContain("%");
    assertThat(refused.err())
        .contains(
            "sorted and hashed cannot be compared",
            "metric: busbwBytesPerSecond (B/s, higher is better) and busbwBytesPerSecond (s, lower"
                + " is better)");
    assertThat(say("compare", "hashed", "timed").out())
        .contains(
            "not the same  workload.command: ... openssl speed ... and ... time openssl speed"
                + " ...\n")
        .contains("in s, lower is better: a baseline that moved by + is worse, a gain of + better")
        .containsPattern("baseline of B over A: [+-]?0\\.0 %");
  }

  /** A gain over another baseline cannot be compared. */
  @Test
  void baselinesOfOtherSettingsAreNotTheSame() throws IOException {
    sweep("deployed", NIGHT.size());
    night("tried", with(spec -> overBaselineOf(Map.of("NCCL_ALGO", "Ring"), spec)));
    assertThat(say("compare", "deployed", "tried").out())
        .contains("not the same  baseline-deployed: - and NCCL_ALGO=Ring\n", "higher is better\n");
  }

  /** The same night on another cell. */
  private static List<Entry> nightOf(String model, Metric metric, String command) {
    return with(
        spec -> {
          TreeMap<String, String> settings = new TreeMap<>(spec.settings());
          settings.put("command", command);
          Cell cell =
              new Cell(model, spec.cell().parallelism(), spec.cell().nodes(), Optional.empty());
          return spec(spec, cell, settings, metric, spec.profiles());
        });
  }

  private static SweepSpec overBaselineOf(Map<String, String> env, SweepSpec spec) {
    return spec(
        spec,
        spec.cell(),
        spec.settings(),
        spec.metric(),
        spec.profiles().stream()
            .map(
                p ->
                    p.name().equals(Profile.BASELINE)
                        ? Profile.of(p.name(), Map.of(), env, Map.of())
                        : p)
            .toList());
  }

  private static SweepSpec spec(
      SweepSpec spec,
      Cell cell,
      SortedMap<String, String> settings,
      Metric metric,
      List<Profile> profiles) {
    return new SweepSpec(
        cell,
        spec.workload(),
        settings,
        metric,
        spec.configTags(),
        profiles,
        spec.plan(),
        spec.budget(),
        spec.policy(),
        spec.playbook(),
        spec.catalogs());
  }

  private static SweepEnding ending(List<Entry> night) {
    return ((Phase.Finished) SweepState.fold(night).phase()).ending();
  }
}
