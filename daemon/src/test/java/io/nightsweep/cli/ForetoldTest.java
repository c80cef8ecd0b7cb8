package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.engine.NodeChecks;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start forecasts for the night. */
@Tag("verdicts")
@Tag("slow")
class ForetoldTest {
  private static final int FEW = 6;

  @TempDir Path dir;

  private RehearsedFile file;

  @BeforeEach
  void write() throws Exception {
    file = new RehearsedFile(dir);
  }

  @Test
  void aSweepThatStartsIsToldInOneLineWhatIsAhead() throws Exception {
    SweepSpec spec = file.spec();
    StateDirectory state = new StateDirectory(file.state());
    // A slow machine may not finish the forecast in time; then start says so, and the sweep starts
    // anyway.
    List<String> lines = List.of();
    for (int i = 0; i < 20 && lines.isEmpty(); i++) {
      lines = Rehearsing.foretold(spec, state).lines();
    }
    assertThat(lines.getFirst())
        .containsPattern(
            "about \\d\\d jobs \\(\\d+ to \\d\\d\\), .* node-hours; gains of about \\d\\.\\d % and"
                + " more");
    assertThat(lines.get(1)).isEqualTo("wave           jobs       takes  until");
    assertThat(lines).anyMatch(l -> l.matches("baseline +[34] +\\d+ min  \\d\\d:\\d\\d"));
  }

  /** A few nights of small gains, which are found late, give no forecast of a night. */
  @Test
  @Tag("people")
  void aStartTellsWhatARehearsalOfTheSameNightsTells() throws Exception {
    List<String> lines = List.of();
    for (int i = 0; i < 20 && lines.isEmpty(); i++) {
      lines =
          Rehearsing.foretold(
                  NodeChecks.onPaper(Assumptions.expecting(file.spec(), List.of()), Instant.now()),
                  new StateDirectory(file.state()))
              .lines();
    }
    Matcher told =
        Pattern.compile("about (\\d+) jobs .*\\((8|16) simulated nights").matcher(lines.getFirst());
    assertThat(told.find()).as(lines.getFirst()).isTrue();
    assertThat(file.rehearse("--nights", told.group(2)).at("/jobs/median").asInt())
        .isEqualTo(Integer.parseInt(told.group(1)));
  }

  /** There is one forecast: the start of a rehearsed file simulates no further nights. */
  @Test
  @Tag("people")
  void aStartTellsTheRehearsalBeforeIt() throws Exception {
    file.write("n[1-2]", FEW, "{jobs: 60, hours: 12}");
    JsonNode rehearsed = file.rehearse("--nights", "24");
    String told = told("n[1-2]", "{jobs: 60, hours: 12}");
    assertThat(told)
        .startsWith("about " + rehearsed.at("/jobs/median").asInt() + " jobs (")
        .contains("(24 simulated nights");
    double gain = rehearsed.at("/smallestGain").asDouble();
    assertThat(told)
        .contains(
            Double.isFinite(gain)
                ? String.format(Locale.ROOT, "gains of about %.1f %% and more", 100 * gain)
                : "no gain that was tried is found");
    // The nodes' names do not affect the forecast; the budget does.
    assertThat(told("m[7-8]", "{jobs: 60, hours: 12}")).isEqualTo(told);
    assertThat(told("n[1-2]", "{jobs: 40, hours: 12}")).doesNotContain("(24 simulated");
  }

  /** For so small a budget the formula and the simulated nights differ. */
  @Test
  @Tag("people")
  void aStartWhoseFewNightsFindNothingPromisesNothingAndSaysWhatToDo() throws Exception {
    Rehearsing.Foretold told = foretold("n[1-2]", "{jobs: 5, hours: 12}");
    assertThat(told.lines().getFirst())
        .contains("no gain that was tried is found")
        .doesNotContain("and more are found");
    assertThat(told.hopeless())
        .hasValueSatisfying(what -> assertThat(what).contains("is likely to find nothing; "));
    Budget more = Budgets.of(30, Duration.ofHours(12));
    assertThat(RehearsalText.hopeless(Optional.of(new Rehearsal.Sought.Found(more))))
        .endsWith("; give it more while it runs: nightsweep budget --jobs 30 --hours 12.0");
    assertThat(foretold("n[1-2]", "{jobs: 60, hours: 12}").hopeless()).isEmpty();
  }

  /** Before anything has run, the noise is unknown, and the whole forecast depends on it. */
  @Test
  @Tag("people")
  void aNoiseThatIsAssumedIsCalledSo() throws Exception {
    Pattern line =
        Pattern.compile(
            "gains of about (\\S+) % and more are found .*"
                + "the noise of 0\\.80 % is assumed, since nothing has run yet;"
                + " at 3 times that, gains of about (\\S+) % and more would be found");
    Matcher told = line.matcher("");
    // A slow machine may not finish the second forecast in time, which is then left out.
    for (int i = 0; i < 20 && !told.find(); i++) {
      told = line.matcher(String.join(" ", foretold("n[1-2]", "{jobs: 60, hours: 12}").lines()));
    }
    assertThat(told.hasMatch() || told.find()).isTrue();
    double factor = Double.parseDouble(told.group(2)) / Double.parseDouble(told.group(1));
    assertThat(factor).isBetween(2.5, 3.5);
    assertThat(file.say("--nights", "8").out()).contains("the noise of 0.80 % is assumed");
    assertThat(file.say("--nights", "8", "--noise", "2%").out()).doesNotContain("is assumed");
  }

  @Test
  @Tag("people")
  void aRehearsalOfOtherAssumptionsIsNoForecastOfAStart() throws Exception {
    file.write("n[1-2]", FEW, "{jobs: 60, hours: 12}");
    file.rehearse("--nights", "24", "--noise", "3%");
    assertThat(told("n[1-2]", "{jobs: 60, hours: 12}")).doesNotContain("(24 simulated");
  }

  /** A start without a forecast says why. */
  @Test
  @Tag("people")
  void whereNothingCanBeForetoldAStartSaysWhy() throws Exception {
    file.write("n[1-2]", 12, "{jobs: 60, hours: 12}");
    SweepSpec spec = file.spec();
    SweepSpec idle =
        spec.with(
            spec.plan()
                .withWaves(
                    waves -> waves.stream().filter(w -> w.kind() == Wave.Kind.BASELINE).toList()));
    Rehearsing.Foretold told = Rehearsing.foretold(idle, new StateDirectory(file.state()));
    assertThat(told.lines()).isEmpty();
    assertThat(told.whyNot()).contains("the plan screens no candidate");
  }

  private String told(String nodelist, String budget) throws Exception {
    return foretold(nodelist, budget).lines().getFirst();
  }

  /** A slow machine may take several tries to finish a forecast in time. */
  private Rehearsing.Foretold foretold(String nodelist, String budget) throws Exception {
    file.write(nodelist, FEW, budget);
    StateDirectory state = new StateDirectory(file.state());
    Rehearsing.Foretold told = Rehearsing.Foretold.unasked();
    for (int i = 0; i < 20 && told.lines().isEmpty(); i++) {
      told =
          Rehearsing.foretold(
              Rehearsing.planned(file.spec(), s -> NodeChecks.onPaper(s, Instant.now()), state),
              state);
    }
    return told;
  }
}
