package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.engine.NodeChecks;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Replay;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sim.Weather;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Tag("verdicts")
class RehearseTest {
  private static final int FEW = 6;

  @TempDir Path dir;
  private Path file = Path.of("");

  private record Said(int code, String out, String err) {}

  @BeforeEach
  void sweep() throws Exception {
    write("n[1-2]", 12, "{jobs: 60, hours: 12}");
  }

  private void write(String nodelist, int profiles, String budget) throws Exception {
    String names =
        IntStream.rangeClosed(1, profiles)
            .mapToObj(i -> "  p" + i + ": {env: {KNOB: " + i + "}}")
            .collect(Collectors.joining("\n"));
    file =
        Files.writeString(
            dir.resolve("sweep.yaml"),
            """
            model: allreduce
            parallelism: ranks=2
            slot: {nodelist: "%s"}
            workload: {kind: kernels, kernel: allreduce, sizes: 1024}
            profiles:
            %s
            plan: kernels
            budget: %s
            playbook: kernels
            """
                .formatted(nodelist, names, budget));
  }

  @Test
  void tellsWhatTheNightWouldTakeWithoutAnyCluster() throws Exception {
    JsonNode r = rehearse("--nights", "24", "--noise", "0.8%", "--job-minutes", "10");
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
    JsonNode once = rehearse("--nights", "8", "--seed", "5");
    assertThat(rehearse("--nights", "8", "--seed", "5")).isEqualTo(once);
    assertThat(rehearse("--nights", "8", "--seed", "6")).isNotEqualTo(once);
  }

  @Test
  void moreNoiseHidesLargerGains() throws Exception {
    JsonNode quiet = rehearse("--nights", "16", "--noise", "0.4%");
    JsonNode noisy = rehearse("--nights", "16", "--noise", "1.6%");
    assertThat(noisy.at("/smallestGain").asDouble())
        .isGreaterThan(1.5 * quiet.at("/smallestGain").asDouble());
  }

  @Test
  void aNightThatIsTooShortSaysWhatIsCut() throws Exception {
    write("n[1-2]", 6, "{jobs: 8, hours: 12}");
    Said said = say("--nights", "8");
    assertThat(said.code()).as(said.err()).isZero();
    // In some nights a gain of the target's size is confirmed before the budget ends.
    assertThat(said.out())
        .containsPattern("ends before the plan does in ([6-9]\\d|100) % of nights");
    assertThat(said.out()).containsPattern("Cut then: .*screen");
  }

  /** What ends the search is known before it does. */
  @Test
  @Tag("people")
  void theTargetThatEndsTheSearchIsTold() throws Exception {
    assertThat(say("--nights", "8").out())
        .contains("a confirmed gain of 5.0 % ends the search (policy.targetGain)\n");
  }

  @Test
  void drawsWhatIsFoundAtWhichGain() throws Exception {
    String out = say("--nights", "24", "--noise", "0.8%").out();
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
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    List<Entry> night =
        new Night(
                spec,
                new DrawnSurface(Map.of(), 1000, Weather.calm(0.02), 3),
                Faults.none(),
                Duration.ofMinutes(4),
                3)
            .run()
            .entries();
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    SweepDirectory earlier = state.sweep("last-week");
    Files.createDirectories(earlier.root());
    try (FileJournal journal = UnsyncedJournal.open(earlier.journal(), new Replay())) {
      for (Entry entry : night) {
        journal.append(entry.at(), List.of(entry.event()));
      }
    }
    JsonNode assumptions = rehearse("--nights", "8").at("/assumptions");
    assertThat(assumptions.at("/noise/from").asText()).startsWith("as sweep ").endsWith("showed");
    assertThat(assumptions.at("/noise/value").asDouble()).isBetween(0.01, 0.035);
    assertThat(assumptions.at("/job/value").asDouble()).isBetween(200.0, 280.0);
    assertThat(assumptions.at("/flakes/value").asDouble()).isZero();
  }

  @Test
  void aCountOfNodesIsEnough() throws Exception {
    write("n1", 12, "{jobs: 60}");
    String text = Files.readString(file).replace("{nodelist: \"n1\"}", "{nodes: 3}");
    Files.writeString(file, text);
    assertThat(say("--nights", "8").out()).contains("on node[1-3]");
  }

  @Test
  void aSweepThatStartsIsToldInOneLineWhatIsAhead() throws Exception {
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    // A slow machine may not tell in time; then it says so, and the sweep starts all the same.
    List<String> lines = List.of();
    for (int i = 0; i < 20 && lines.isEmpty(); i++) {
      lines = Rehearsing.foretold(spec, state).lines();
    }
    assertThat(lines.getFirst())
        .containsPattern(
            "about \\d\\d jobs \\(\\d+ to \\d\\d\\), .* node-hours; gains of about \\d\\.\\d % and"
                + " more");
    assertThat(lines.get(1)).isEqualTo("wave           jobs    takes  until");
    assertThat(lines).anyMatch(l -> l.matches("baseline +[34] +\\d+ min  \\d\\d:\\d\\d"));
  }

  /** One forecast: what the table says of the waves is what the rehearsal says of the night. */
  @Test
  void thePacingTableAddsUpToTheNight() throws Exception {
    JsonNode r = rehearse("--nights", "16", "--noise", "0.8%", "--job-minutes", "10");
    double jobs = 0;
    double last = 0;
    for (JsonNode wave : r.at("/pace")) {
      jobs += wave.at("/ran").asDouble() * wave.at("/jobs").asDouble();
      // A check of the nodes takes a part of a job's time.
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

  @Test
  void aBudgetThatIsTooSmallIsToldWithTheCheapestThatWouldDo() throws Exception {
    write("n[1-2]", 12, "{jobs: 22}");
    String small = say("--nights", "16", "--job-minutes", "10").out();
    assertThat(small)
        .containsPattern(
            "not done whole: .*, since the budget of 22 jobs ends before in most nights");
    Matcher enough = Pattern.compile("cheapest budget that would do: (\\d+) jobs").matcher(small);
    assertThat(enough.find()).as(small).isTrue();
    write("n[1-2]", 12, "{jobs: " + enough.group(1) + "}");
    assertThat(say("--nights", "16", "--job-minutes", "10").out()).doesNotContain("not done whole");
  }

  @ParameterizedTest
  @CsvSource({"0.0603, 0.06", "0.27, 0.27", "3.14, 3.1", "31.4, 31", "112.4, 112"})
  @Tag("people")
  void nodeHoursAreNoPowersOfTen(double nodeHours, String read) {
    assertThat(RehearsalText.figure(nodeHours)).isEqualTo(read);
  }

  /** A few nights of small gains, which are found late, are no forecast of a night. */
  @Test
  @Tag("people")
  void aStartTellsWhatARehearsalOfTheSameNightsTells() throws Exception {
    List<String> lines = List.of();
    for (int i = 0; i < 20 && lines.isEmpty(); i++) {
      lines =
          Rehearsing.foretold(
                  NodeChecks.onPaper(
                      Assumptions.expecting(
                          SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC)),
                          List.of()),
                      Instant.now()),
                  new StateDirectory(dir.resolve("state")))
              .lines();
    }
    Matcher told =
        Pattern.compile("about (\\d+) jobs .*\\((8|16) simulated nights").matcher(lines.getFirst());
    assertThat(told.find()).as(lines.getFirst()).isTrue();
    assertThat(rehearse("--nights", told.group(2)).at("/jobs/median").asInt())
        .isEqualTo(Integer.parseInt(told.group(1)));
  }

  /** One forecast: a start of what was rehearsed walks no nights of its own. */
  @Test
  @Tag("people")
  void aStartTellsTheRehearsalBeforeIt() throws Exception {
    write("n[1-2]", FEW, "{jobs: 60, hours: 12}");
    JsonNode rehearsed = rehearse("--nights", "24");
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
    // What the nodes are called says nothing of a night; a budget does.
    assertThat(told("m[7-8]", "{jobs: 60, hours: 12}")).isEqualTo(told);
    assertThat(told("n[1-2]", "{jobs: 40, hours: 12}")).doesNotContain("(24 simulated");
  }

  /** The search for a budget ends with its time: each would name another one of one file. */
  @Test
  @Tag("people")
  void everyRehearsalOfAFileNamesTheBudgetThatTheFirstFound() throws Exception {
    write("n[1-2]", FEW, "{jobs: 8}");
    SweepSpec spec =
        Rehearsing.planned(
            SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC)),
            s -> NodeChecks.onPaper(s, Instant.now()),
            new StateDirectory(dir.resolve("state")));
    Assumptions assumptions = Assumptions.of(spec, List.of(), Optional.empty(), Optional.empty());
    Budget found =
        new Budget(Optional.of(97), Optional.empty(), Optional.empty(), Optional.empty());
    LatestRehearsal.of(
            spec,
            new Rehearsal(spec, assumptions, Instant.now(), 1).quickly(8, done -> false),
            Instant.now(),
            Optional.of(new Rehearsal.Sought.Found(found)))
        .keep(new StateDirectory(dir.resolve("state")));
    String named = "cheapest budget that would do: 97 jobs\n";
    assertThat(say("--nights", "8").out()).contains(named);
    rehearse("--nights", "24");
    assertThat(say("--nights", "8").out()).contains(named);
  }

  /** What the formula says of so few jobs is not what its nights show. */
  @Test
  @Tag("people")
  void aStartWhoseFewNightsFindNothingPromisesNothingAndSaysWhatToDo() throws Exception {
    Rehearsing.Foretold told = foretold("n[1-2]", "{jobs: 5, hours: 12}");
    assertThat(told.lines().getFirst())
        .contains("no gain that was tried is found")
        .doesNotContain("and more are found");
    assertThat(told.hopeless())
        .hasValueSatisfying(what -> assertThat(what).contains("is likely to find nothing; "));
    Budget more =
        new Budget(
            Optional.of(30), Optional.of(Duration.ofHours(12)), Optional.empty(), Optional.empty());
    assertThat(RehearsalText.hopeless(Optional.of(new Rehearsal.Sought.Found(more))))
        .endsWith("; give it more while it runs: nightsweep budget --jobs 30 --hours 12.0");
    assertThat(foretold("n[1-2]", "{jobs: 60, hours: 12}").hopeless()).isEmpty();
  }

  /** Where the noise hides what the plan looks for, a budget that cuts nothing finds nothing. */
  @Test
  @Tag("people")
  void aBudgetThatCarriesAPlanWithoutFindsIsNotCalledEnough() throws Exception {
    write("n[1-2]", 1, "{jobs: 60}");
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    Rehearsal rehearsal =
        new Rehearsal(
            spec.with(
                spec.plan()
                    .withWaves(
                        waves ->
                            waves.stream().filter(w -> w.kind() != Wave.Kind.CONFIRM).toList())),
            Assumptions.of(spec, List.of(), Optional.empty(), Optional.empty()),
            Instant.EPOCH,
            1);
    Rehearsed rehearsed = rehearsal.quickly(8, done -> true);
    assertThat(rehearsed.isCarried()).isTrue();
    assertThat(rehearsal.isEnough(rehearsed)).isFalse();
  }

  /** Before anything has run nobody knows the noise, and all that is foretold rests on it. */
  @Test
  @Tag("people")
  void aNoiseThatIsAssumedIsCalledSo() throws Exception {
    Matcher told =
        Pattern.compile(
                "gains of about (\\S+) % and more are found .*"
                    + "the noise of 0\\.80 % is assumed, since nothing has run yet;"
                    + " at 3 times that, gains of about (\\S+) % and more would be found")
            .matcher(String.join(" ", foretold("n[1-2]", "{jobs: 60, hours: 12}").lines()));
    assertThat(told.find()).isTrue();
    double factor = Double.parseDouble(told.group(2)) / Double.parseDouble(told.group(1));
    assertThat(factor).isBetween(2.5, 3.5);
    assertThat(say("--nights", "8").out()).contains("the noise of 0.80 % is assumed");
    assertThat(say("--nights", "8", "--noise", "2%").out()).doesNotContain("is assumed");
  }

  @Test
  @Tag("people")
  void aRehearsalOfOtherAssumptionsIsNoForecastOfAStart() throws Exception {
    write("n[1-2]", FEW, "{jobs: 60, hours: 12}");
    rehearse("--nights", "24", "--noise", "3%");
    assertThat(told("n[1-2]", "{jobs: 60, hours: 12}")).doesNotContain("(24 simulated");
  }

  /** A start without a forecast leaves nobody to guess why. */
  @Test
  @Tag("people")
  void whereNothingCanBeForetoldAStartSaysWhy() throws Exception {
    write("n[1-2]", 12, "{jobs: 60, hours: 12}");
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    SweepSpec idle =
        spec.with(
            spec.plan()
                .withWaves(
                    waves -> waves.stream().filter(w -> w.kind() == Wave.Kind.BASELINE).toList()));
    Rehearsing.Foretold told = Rehearsing.foretold(idle, new StateDirectory(dir.resolve("state")));
    assertThat(told.lines()).isEmpty();
    assertThat(told.whyNot()).contains("the plan screens no candidate");
  }

  private String told(String nodelist, String budget) throws Exception {
    return foretold(nodelist, budget).lines().getFirst();
  }

  /** A slow machine may take several tries to tell something in time. */
  private Rehearsing.Foretold foretold(String nodelist, String budget) throws Exception {
    write(nodelist, FEW, budget);
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    Rehearsing.Foretold told = Rehearsing.Foretold.unasked();
    for (int i = 0; i < 20 && told.lines().isEmpty(); i++) {
      told =
          Rehearsing.foretold(
              Rehearsing.planned(
                  SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC)),
                  s -> NodeChecks.onPaper(s, Instant.now()),
                  state),
              state);
    }
    return told;
  }

  /** Hours that are enough are no reason to ask for more of them. */
  @Test
  @Tag("people")
  void theCheapestBudgetLeavesALimitThatIsEnough() throws Exception {
    write("n[1-2]", 3, "{jobs: 4, hours: 20}");
    assertThat(say("--nights", "8", "--job-minutes", "1").out())
        .containsPattern("cheapest budget that would do: (1[0-9]|[2-9][0-9]) jobs and 20.0 hours");
    write("n[1-2]", 3, "{jobs: 400, hours: 1}");
    assertThat(say("--nights", "8", "--job-minutes", "10").out())
        .containsPattern("cheapest budget that would do: 400 jobs and [2-9]\\.\\d hours");
  }

  @Test
  @Tag("people")
  void whyNoBudgetIsNamedIsSaid() throws Exception {
    write("n[1-2]", 6, "{jobs: 4}");
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    Rehearsal rehearsal =
        new Rehearsal(
            spec,
            Assumptions.of(spec, List.of(), Optional.empty(), Optional.empty()),
            Instant.EPOCH,
            1);
    assertThat(rehearsal.enough(() -> true)).isEqualTo(new Rehearsal.Sought.Unfinished(1));
    assertThat(pacing(spec, rehearsal, new Rehearsal.Sought.Unfinished(1)))
        .endsWith("which budget would do took too long to find out: more than this one");
    assertThat(pacing(spec, rehearsal, new Rehearsal.Sought.Unfinished(4)))
        .endsWith("more than 4 times this one");
    assertThat(pacing(spec, rehearsal, new Rehearsal.Sought.Nowhere(32)))
        .contains("no budget up to 32 times this one would do; fewer candidates would help");
  }

  private static String pacing(SweepSpec spec, Rehearsal rehearsal, Rehearsal.Sought sought) {
    return PacingText.lines(
            spec,
            rehearsal.quickly(8, done -> true),
            ZonedDateTime.now(ZoneOffset.UTC),
            Optional.of(sought))
        .getLast();
  }

  /** The gains that were tried grow until one is found, where none is. */
  @Test
  @Tag("people")
  void aTableOfChancesHasNoGainsThatNobodyBelieves() throws Exception {
    write("n[1-2]", 2, "{jobs: 4}");
    assertThat(say("--nights", "8", "--job-minutes", "10", "--noise", "40%").out())
        .contains("No gain that was tried is found")
        .doesNotContainPattern("\\+\\d{3,}\\.\\d+ %");
  }

  /** A newcomer's first budget may be a tenth of what the plan takes. */
  @Test
  @Tag("people")
  void aBudgetThatIsFarTooSmallIsToldWithOneThatWouldDo() throws Exception {
    write("n[1-2]", 3, "{jobs: 4}");
    assertThat(say("--nights", "8", "--job-minutes", "10").out())
        .containsPattern("cheapest budget that would do: (1[0-9]|[2-9][0-9]) jobs");
  }

  @Test
  void aWrongFileOrOptionIsNamed() throws Exception {
    Said noise = say("--noise", "much");
    assertThat(noise.code()).isEqualTo(ExitCode.USAGE);
    assertThat(noise.err()).contains("--noise much: expected a percentage");
    Files.writeString(file, Files.readString(file).replace("slot:", "slots:"));
    Said wrong = say();
    assertThat(wrong.code()).isEqualTo(ExitCode.INVALID_INPUT);
    assertThat(wrong.err()).contains("sweep.yaml:3:1").contains("slot");
  }

  @Test
  void untilAMomentIsCountedFromNow() throws Exception {
    String at =
        Instant.now().plus(Duration.ofHours(3)).atZone(java.time.ZoneId.systemDefault()).toString();
    write("n[1-2]", 12, "{until: \"" + at.substring(11, 16) + "\"}");
    JsonNode r = rehearse("--nights", "16", "--job-minutes", "10");
    assertThat(r.at("/hours/high").asDouble()).isLessThan(3.1);
    assertThat(r.at("/jobs/high").asDouble())
        .as("18 jobs of ten minutes, some of them shorter")
        .isLessThan(23);
  }

  private JsonNode rehearse(String... more) throws Exception {
    Said said =
        say(
            java.util.stream.Stream.concat(
                    java.util.stream.Stream.of("--json"), java.util.Arrays.stream(more))
                .toArray(String[]::new));
    assertThat(said.code()).as(said.err()).isZero();
    return Json.mapper().readTree(said.out());
  }

  private Said say(String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    java.util.ArrayList<String> args =
        new java.util.ArrayList<>(
            List.of("rehearse", file.toString(), "--state", dir.resolve("state").toString()));
    args.addAll(List.of(more));
    int code = line.execute(args.toArray(String[]::new));
    return new Said(code, out.toString(), err.toString());
  }
}
