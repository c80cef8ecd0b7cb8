package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.report.Figures;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Weather;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a rehearsal reports about a night. */
@Tag("verdicts")
@Tag("slow")
class RehearseTest {
  @TempDir Path dir;

  private RehearsedFile file;

  @BeforeEach
  void write() throws Exception {
    file = new RehearsedFile(dir);
  }

  @Test
  void tellsWhatTheNightWouldTakeWithoutAnyCluster() throws Exception {
    JsonNode r = file.rehearse("--nights", "24", "--noise", "0.8%", "--job-minutes", "10");
    assertThat(r.at("/nights").asInt()).isEqualTo(24);
    double jobs = r.at("/jobs/median").asDouble();
    assertThat(jobs).isBetween(20.0, 60.0);
    assertThat(r.at("/jobs/high").asDouble()).isLessThanOrEqualTo(60);
    assertThat(r.at("/nodeHours/median").asDouble()).isBetween(jobs * 0.8 / 3, jobs * 1.1 / 3);
    assertThat(r.at("/hours/median").asDouble()).isBetween(jobs * 0.8 / 6, jobs * 1.1 / 6);
    assertThat(r.at("/smallestGain").asDouble()).isBetween(0.008, 0.04);
    assertThat(r.at("/assumptions/noise/from").asText()).isEqualTo("as given");
    assertThat(r.at("/falseWinners").asInt()).isLessThan(3);
  }

  @Test
  void theSameSeedRehearsesTheSameNights() throws Exception {
    JsonNode once = file.rehearse("--nights", "8", "--seed", "5");
    assertThat(file.rehearse("--nights", "8", "--seed", "5")).isEqualTo(once);
    assertThat(file.rehearse("--nights", "8", "--seed", "6")).isNotEqualTo(once);
  }

  @Test
  void moreNoiseHidesLargerGains() throws Exception {
    JsonNode quiet = file.rehearse("--nights", "16", "--noise", "0.4%");
    JsonNode noisy = file.rehearse("--nights", "16", "--noise", "1.6%");
    assertThat(noisy.at("/smallestGain").asDouble())
        .isGreaterThan(1.5 * quiet.at("/smallestGain").asDouble());
  }

  @Test
  void aNightThatIsTooShortSaysWhatIsCut() throws Exception {
    file.write("n[1-2]", 6, "{jobs: 8, hours: 12}");
    Typed said = file.say("--nights", "8");
    assertThat(said.code()).as(said.err()).isZero();
    // In some nights a gain as large as the target is confirmed before the budget ends.
    assertThat(said.out())
        .containsPattern("ends before the plan does in ([6-9]\\d|100) % of nights");
    assertThat(said.out()).containsPattern("Cut then: .*screen");
  }

  /** The rehearsal says in advance what ends the search. */
  @Test
  @Tag("people")
  void theTargetThatEndsTheSearchIsTold() throws Exception {
    assertThat(file.say("--nights", "8").out())
        .contains("a confirmed gain of 5.0 % ends the search (policy.targetGain)\n");
  }

  @Test
  void drawsWhatIsFoundAtWhichGain() throws Exception {
    String out = file.say("--nights", "24", "--noise", "0.8%").out();
    assertThat(out)
        .contains("12 candidates, rehearsed in 24 nights")
        .contains("nine of ten nights");
    List<String> bars = out.lines().filter(l -> l.matches("\\s+\\+\\d.*%.*\\d %")).toList();
    assertThat(bars).hasSize(6);
    assertThat(bars.getLast().chars().filter(c -> c == '█').count())
        .isGreaterThan(bars.getFirst().chars().filter(c -> c == '█').count());
  }

  @Test
  void learnsNoiseAndDurationFromAnEarlierSweepOfTheSameCell() throws Exception {
    SweepSpec spec = file.spec();
    PastNights.leave(file.state(), "last-week", nightOf(spec));
    JsonNode assumptions = file.rehearse("--nights", "8").at("/assumptions");
    assertThat(assumptions.at("/noise/from").asText()).startsWith("as sweep ").endsWith("showed");
    assertThat(assumptions.at("/noise/value").asDouble()).isBetween(0.01, 0.035);
    assertThat(assumptions.at("/job/value").asDouble()).isBetween(200.0, 280.0);
    assertThat(assumptions.at("/flakes/value").asDouble()).isZero();
  }

  private static List<Entry> nightOf(SweepSpec spec) {
    return Specs.night(
            spec, new DrawnSurface(Map.of(), 1000, Weather.calm(0.02), 3), Duration.ofMinutes(4), 3)
        .run()
        .entries();
  }

  /** Even if many sweeps of other cells ran since. */
  @Test
  void whatACellShowedIsNotForgotten() throws Exception {
    SweepSpec spec = file.spec();
    String own = StateDirectory.folder(StateDirectory.nameOf(spec.cell()));
    PastNights.leave(file.state(), own, nightOf(spec));
    Files.setLastModifiedTime(
        new StateDirectory(file.state()).sweep(own).journal(), FileTime.from(Instant.EPOCH));
    Cell other =
        new Cell("other", spec.cell().parallelism(), spec.cell().nodes(), Optional.empty());
    List<Entry> others = nightOf(Specs.in(spec, other));
    for (int i = 0; i < 6; i++) {
      PastNights.leave(file.state(), "other-" + i, others);
    }
    assertThat(file.rehearse("--nights", "8").at("/assumptions/noise/from").asText())
        .isEqualTo("as sweep " + own + " showed");
  }

  @Test
  void aCountOfNodesIsEnough() throws Exception {
    file.write("n1", 12, "{jobs: 60}");
    String text = Files.readString(file.path()).replace("{nodelist: \"n1\"}", "{nodes: 3}");
    Files.writeString(file.path(), text);
    assertThat(file.say("--nights", "8").out()).contains("on node[1-3]");
  }

  /** There is one forecast: the table of waves adds up to the rehearsed night. */
  @Test
  void thePacingTableAddsUpToTheNight() throws Exception {
    JsonNode r = file.rehearse("--nights", "16", "--noise", "0.8%", "--job-minutes", "10");
    double jobs = 0;
    double last = 0;
    for (JsonNode wave : r.at("/pace")) {
      jobs += wave.at("/ran").asDouble() * wave.at("/jobs").asDouble();
      // A check of the nodes takes part of a job's time.
      double least = wave.at("/wave").asText().startsWith("node-gate") ? 0.1 : 0.8;
      assertThat(wave.at("/hours").asDouble())
          .isBetween(
              wave.at("/jobs").asDouble() * least / 6, wave.at("/jobs").asDouble() * 1.2 / 6);
      last = Math.max(last, wave.at("/untilHours").asDouble());
    }
    assertThat(jobs)
        .isBetween(0.8 * r.at("/jobs/median").asDouble(), 1.2 * r.at("/jobs/median").asDouble());
    assertThat(last)
        .isBetween(0.7 * r.at("/hours/median").asDouble(), r.at("/hours/high").asDouble() + 0.1);
  }

  @ParameterizedTest
  @CsvSource({"0.0603, 0.06", "0.27, 0.27", "3.14, 3.14", "31.456, 31.46", "112, 112"})
  @Tag("people")
  void nodeHoursHaveNoZerosAtTheirEnd(double nodeHours, String read) {
    assertThat(Figures.nodeHours(nodeHours)).isEqualTo(read);
  }

  @Test
  @Tag("people")
  void theBudgetThatIsToBeTypedIsNoSmallerThanTheOneThatWouldDo() {
    Budget would =
        new Budget(
            Optional.of(24),
            Optional.of(Duration.ofMinutes(2)),
            Optional.empty(),
            Optional.of(0.04));
    assertThat(RehearsalText.options(would)).isEqualTo(" --jobs 24 --hours 0.1 --node-hours 0.1");
  }

  /** If no tried gain is found, larger ones are tried until one is. */
  @Test
  @Tag("people")
  void aTableOfChancesHasNoGainsThatNobodyBelieves() throws Exception {
    file.write("n[1-2]", 2, "{jobs: 4}");
    assertThat(file.say("--nights", "8", "--job-minutes", "10", "--noise", "40%").out())
        .contains("No gain that was tried is found")
        .doesNotContainPattern("\\+\\d{3,}\\.\\d+ %");
  }

  @Test
  void aWrongFileOrOptionIsNamed() throws Exception {
    Typed noise = file.say("--noise", "much");
    assertThat(noise.code()).isEqualTo(ExitCode.USAGE);
    assertThat(noise.err()).contains("--noise much: expected a percentage");
    Files.writeString(file.path(), Files.readString(file.path()).replace("slot:", "slots:"));
    Typed wrong = file.say();
    assertThat(wrong.code()).isEqualTo(ExitCode.INVALID_INPUT);
    assertThat(wrong.err()).contains("sweep.yaml:3:1").contains("slot");
  }

  @Test
  void untilAMomentIsCountedFromNow() throws Exception {
    String at = Instant.now().plus(Duration.ofHours(3)).atZone(ZoneId.systemDefault()).toString();
    file.write("n[1-2]", 12, "{until: \"" + at.substring(11, 16) + "\"}");
    JsonNode r = file.rehearse("--nights", "16", "--job-minutes", "10");
    assertThat(r.at("/hours/high").asDouble()).isLessThan(3.1);
    assertThat(r.at("/jobs/high").asDouble())
        .as("18 jobs of ten minutes, some of them shorter")
        .isLessThan(23);
  }
}
