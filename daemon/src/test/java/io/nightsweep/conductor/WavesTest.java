package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the plan advances, as a table. The plan: a baseline; a first screening of p1 to p3; a second
 * of p4 to p6 until the target of 5 % is met; a race, a confirmation and a cross-check for the
 * leader.
 */
@Tag("verdicts")
class WavesTest {
  /** The finished waves; what p3 and the others gain in percent; the jobs of the budget. */
  @ParameterizedTest(name = "{0}, p3 {1} %, others {2} %, {3} jobs: {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                                     | 0  | 0  | 60 | open baseline
          baseline                   | 0  | 0  | 60 | open screen-1
          baseline screen-1          | 0  | 0  | 60 | open screen-2
          baseline screen-1          | -9 | -9 | 60 | open screen-2
          baseline screen-1          | 9  | 0  | 60 | confirm p3
          baseline screen-1 screen-2 | 1  | 0  | 60 | open race
          baseline screen-1 screen-2 | 0  | 0  | 60 | skip race NotNeeded[need=CONTENDER]
          baseline screen-1 screen-2 | -9 | -9 | 60 | skip race NotNeeded[need=CONTENDER]
          baseline screen-1 screen-2 | 3  | 0  | 60 | skip race NotNeeded[need=REPLICATE_THAT_DECIDES]
          baseline screen-1 screen-2 | 3  | 0  | 13 | skip race BudgetSpent[wave=RACE]
          """)
  void comesNext(@Nullable String over, int p3, int others, int jobs, String expected) {
    Story story = new Story(Specs.kernels(6, jobs));
    for (String wave : over == null ? new String[0] : over.split(" ")) {
      story.walkedThrough(wave, trial -> value(trial, p3, others));
    }
    assertThat(story.says(Waves::plan)).isEqualTo(expected);
  }

  /**
   * A race takes no more than the jobs that fresh runs and cross-checks leave, its control
   * included.
   */
  @ParameterizedTest
  @CsvSource({"24, 0", "25, 0", "26, 2", "27, 3", "28, 4", "40, 4"})
  void aRaceRunsAsManyAsItsShareHolds(int jobs, int trials) {
    Story story = new Story(Specs.kernels(6, jobs));
    for (String wave : List.of("baseline", "screen-1", "screen-2")) {
      story.walkedThrough(wave, trial -> value(trial, 1, 1));
    }
    story.decisions(Waves::plan).forEach(d -> story.told(Story.event(d)));
    assertThat(story.state().wave("race").orElseThrow().trials()).hasSize(trials);
  }

  /**
   * The advisor knows twenty more. It proposes a block at a time and two in all; stacks and
   * profiles that a person added are none of its own.
   */
  @ParameterizedTest(name = "after {0} {1}: {2}")
  @CsvSource({
    "0,  advised, 8",
    "10, advised, 6",
    "16, advised, 0",
    "10, stacked, 8",
    "10, added,   8",
  })
  void theAdvisorProposesABlockAtATimeAndTwoInAll(int count, String how, int proposed) {
    Story story = new Story(advised());
    for (String wave : List.of("baseline", "screen-1", "screen-2")) {
      story.walkedThrough(wave, trial -> value(trial, 1, 1));
    }
    List<Profile> before =
        IntStream.range(0, count)
            .mapToObj(i -> Profile.of("q" + i, Map.of(), Map.of("Q", "" + i), Map.of()))
            .toList();
    switch (how) {
      case "advised" -> before.forEach(q -> story.told(new Event.ProfileAdded(q)));
      case "stacked" -> {
        Profile p1 = story.state().profile("p1");
        before.forEach(q -> story.told(new Event.ProfileAdded(p1.stackedWith(q))));
      }
      case "added" -> {
        story.commanded(new Command.AddProfiles(before));
        story.walkedThrough("added+1", trial -> value(trial, 1, 0));
      }
      default -> throw new IllegalArgumentException(how);
    }
    assertThat(story.decisions(Waves::plan).stream().map(Story::words))
        .filteredOn("ProfileAdded"::equals)
        .hasSize(proposed);
  }

  @Test
  void theAdvisorProposesNothingOnceTheTargetIsMet() {
    List<String> said =
        new Story(advised())
            .walked(trial -> value(trial, 1, trial.profile().equals("more-3") ? 9 : 1));
    assertThat(said).contains("open race", "confirm more-3", "open cross");
    assertThat(said).filteredOn("ProfileAdded"::equals).hasSize(8);
  }

  private static SweepSpec advised() {
    List<Profile> more =
        IntStream.range(0, 20)
            .mapToObj(i -> Profile.of("more-" + i, Map.of(), Map.of("MORE", "" + i), Map.of()))
            .toList();
    Catalog.CatalogEntry entry =
        new Catalog.CatalogEntry(
            "more",
            Catalog.Target.ENV,
            "MORE",
            Catalog.Type.TEXT,
            Optional.empty(),
            more,
            new TreeMap<>(
                Map.of(
                    Catalog.ANY_AXIS, new Catalog.Expectation(Catalog.Sign.POSITIVE, "it helps"))),
            List.of(),
            List.of(),
            "",
            List.of(),
            new TreeMap<>(),
            false,
            Optional.empty(),
            "");
    SweepSpec plain = Specs.kernels(6, 400);
    return Specs.with(
        plain, plain.profiles(), new Catalog("test", "what else there is", List.of(entry)));
  }

  /** A race might repeat a program that already runs. */
  @Test
  void nothingIsPlannedWhileAProgramIsBeingRead() {
    Catalog catalog = Specs.packed("xla", "cpd");
    String flag = catalog.entries().getFirst().setting();
    SweepSpec plain = Specs.kernels(6, 60);
    List<Profile> profiles =
        plain.profiles().stream()
            .map(
                p ->
                    p.isBaseline()
                        ? p
                        : Profile.of(
                            p.name(), Map.of(flag, p.name().substring(1)), Map.of(), Map.of()))
            .toList();
    Story story =
        new Story(Specs.with(plain, profiles, catalog))
            .walkedThrough("baseline", trial -> value(trial, 0, 0))
            .told(
                new Event.FindingMade(
                    new Finding(
                        new TrialId(1).attempt(1),
                        Finding.PROGRAM,
                        Statement.words(""),
                        List.of("job 1: dump"),
                        new TreeMap<>(Map.of("the baseline's", 1.0)))));
    assertThat(story.walked(trial -> value(trial, 0, 0)))
        .containsExactly("open screen-1", "close screen-1");
    assertThat(story.later(Duration.ofMinutes(5)).says(Waves::plan)).isEqualTo("open screen-2");
  }

  /**
   * Screening takes twelve jobs; six more suffice for three fresh runs and three of the baseline.
   */
  @ParameterizedTest
  @CsvSource({"15, open confirm", "18, confirm p5", "20, confirm p5", "30, confirm p5"})
  void whoLeadsByFarIsConfirmedWithTheLastSixJobs(int jobs, String expected) {
    Story story = new Story(Specs.kernels(6, jobs));
    List<String> said =
        story.walked(trial -> trial.profile().equals("p5") ? 3080 : value(trial, 0, 0));
    assertThat(said).as("%s", said).contains(expected).noneMatch(s -> s.startsWith("skip confirm"));
  }

  /**
   * After a winner, runs without possible fresh runs decide nothing; the winner's cross-check does.
   */
  @ParameterizedTest
  @ValueSource(ints = {20, 21, 22, 23})
  void nobodyRunsBehindAWinnerWhomTheBudgetCannotConfirm(int jobs) {
    Story story = new Story(Specs.kernels(6, jobs));
    List<String> said =
        story.walked(trial -> value(trial, 3, 0) * (trial.profile().equals("p5") ? 1.03 : 1));
    assertThat(said).contains("confirm p5", "open cross").doesNotContain("more for confirm");
  }

  /** A little noise, the same for all trials with the same number. */
  private static double value(Trial trial, int p3, int others) {
    double noise = ((trial.id().number() * 7919) % 11 - 5) * 0.0008;
    int percent =
        switch (trial.profile()) {
          case "baseline-deployed" -> 0;
          case "p3" -> p3;
          default -> others;
        };
    return 1000 * (1 + noise) * (1 + percent / 100.0);
  }

  @Test
  void nothingIsPlannedWhileATrialWaitsOrTheClusterIsAway() {
    Story story = new Story(Specs.kernels(6, 60));
    story.decisions(Waves::plan).forEach(d -> assertThat(Story.words(d)).startsWith("open"));
    assertThat(
            story.opened("baseline", Trial.Purpose.CONTROL, "baseline-deployed").says(Waves::plan))
        .isEqualTo("-");
    Story away =
        new Story(Specs.kernels(6, 60)).told(new Event.ClusterUnreachable("connection refused"));
    assertThat(away.says(Waves::plan)).isEqualTo("-");
  }
}
