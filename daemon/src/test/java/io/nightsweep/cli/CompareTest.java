package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sweeps are compared. */
@Tag("people")
class CompareTest {
  private static final List<Entry> NIGHT = PastNights.ofFewProfiles(0.08, 7);
  private static final Metric NIGHT_METRIC = SweepState.fold(NIGHT).spec().metric();

  @TempDir private Path dir;

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

  /** A baseline in MB/s over one in seconds is no figure. */
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
            "baseline of B over A: not told, since A and B measure different things\n");
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
        .containsPattern("baseline of B over A: [+-]?0\\.0 %");
  }

  /** The same night of another cell. */
  private static List<Entry> nightOf(String model, Metric metric, String command) {
    return NIGHT.stream()
        .map(
            e ->
                e.event() instanceof Event.SweepStarted begun
                    ? new Entry(
                        e.seq(),
                        e.at(),
                        new Event.SweepStarted(
                            begun.sweep(),
                            begun.seed(),
                            specOf(model, metric, command, begun.spec())))
                    : e)
        .toList();
  }

  private static SweepSpec specOf(String model, Metric metric, String command, SweepSpec spec) {
    TreeMap<String, String> settings = new TreeMap<>(spec.settings());
    settings.put("command", command);
    return new SweepSpec(
        new Cell(model, spec.cell().parallelism(), spec.cell().nodes(), Optional.empty()),
        spec.workload(),
        settings,
        metric,
        spec.configTags(),
        spec.profiles(),
        spec.plan(),
        spec.budget(),
        spec.policy(),
        spec.playbook(),
        spec.catalogs());
  }

  private static SweepEnding ending(List<Entry> night) {
    return ((Phase.Finished) SweepState.fold(night).phase()).ending();
  }

  private SweepDirectory sweep(String id, int events) throws IOException {
    return night(id, NIGHT.subList(0, events));
  }

  private SweepDirectory night(String id, List<Entry> entries) throws IOException {
    return PastNights.leave(dir.resolve("state"), id, entries);
  }

  private Typed say(String... words) {
    return Typed.in(dir.resolve("state"), words);
  }
}
