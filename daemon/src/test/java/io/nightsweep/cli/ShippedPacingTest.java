package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.NodeChecks;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sim.Pace;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sim.ShippedWinner;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packed plan's pacing table says about candidates that do not fit into eight hours. */
@Tag("shipped")
@Tag("slow")
class ShippedPacingTest {
  @TempDir private Path repository;

  @Test
  void candidatesThatNoTimeIsLeftForAreTold() throws Exception {
    SweepSpec whole = ShippedWinner.spec(repository, "PP=8");
    Budget eight =
        new Budget(
            whole.budget().jobs(),
            Optional.of(Duration.ofHours(8)),
            Optional.empty(),
            Optional.empty());
    SweepSpec spec = whole.within(eight);
    assertThat(lines(spec, Duration.ofMinutes(11)))
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches(
                        "left out: \\d or more of 26 candidates in half of the nights, the least"
                            + " promising ones; about \\d+ jobs \\(.*\\) more would run them"));
    assertThat(lines(spec, Duration.ofMinutes(6))).noneMatch(line -> line.startsWith("left out"));
  }

  /**
   * If the budget does not suffice for all candidates, no job may be left for a second contender.
   */
  @Test
  void thatTheContenderIsCrossCheckedOnWhatIsLeftIsTold() throws Exception {
    SweepSpec whole = ShippedWinner.spec(repository, "PP=8", 2);
    SweepSpec spec =
        whole.within(
            new Budget(
                whole.budget().jobs(),
                Optional.of(Duration.ofHours(8)),
                Optional.empty(),
                Optional.empty()));
    String start = "cross-check: until a winner is confirmed, jobs are kept for it alone";
    assertThat(lines(spec, Duration.ofMinutes(11))).anyMatch(line -> line.startsWith(start));
    assertThat(lines(spec, Duration.ofMinutes(5))).noneMatch(line -> line.startsWith(start));
  }

  /** A wave that runs only in some nights may not have been needed, or may have been cut. */
  @Test
  void whatTheBudgetCutsNowAndThenIsTold() throws Exception {
    SweepSpec whole = ShippedWinner.spec(repository, "PP=8");
    SweepSpec spec = whole.within(Budgets.ofJobs(40));
    Rehearsed rehearsed = rehearsed(spec, Duration.ofMinutes(11));
    List<Pace> cut =
        rehearsed.pace().stream().filter(p -> p.cut() >= 0.1 && p.ran() >= 0.1).toList();
    assertThat(cut).isNotEmpty();
    for (Pace pace : cut) {
      assertThat(lines(spec, rehearsed))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .startsWith(pace.wave())
                      .endsWith("cut by the budget in %.0f %%".formatted(100 * pace.cut())));
    }
  }

  /**
   * As start forecasts a night: checks of the nodes, jobs of twelve minutes, a tenth of which fail.
   */
  @Test
  void jobsThatFailAndRunAgainCostNoPipelineShapes() throws Exception {
    SweepSpec spec = NodeChecks.onPaper(ShippedWinner.spec(repository, "PP=8"), Instant.EPOCH);
    Assumptions usual =
        Assumptions.of(spec, List.of(), Optional.of(0.008), Optional.of(Duration.ofMinutes(12)));
    Rehearsed rehearsed = new Rehearsal(spec, usual, Instant.EPOCH, 1).quickly(16, nights -> false);
    assertThat(rehearsed.cut().getOrDefault("pipeline", 0.0)).isLessThanOrEqualTo(1.0 / 16);
    // A wave's name may be long; its figures still align with the others.
    assertThat(lines(spec, rehearsed).subList(0, 1 + rehearsed.pace().size()))
        .anyMatch(line -> line.startsWith("node-gate-at-dawn "))
        .extracting(
            line ->
                line.replaceFirst(
                        "^(\\S+ +\\S+ +(?:takes|-|[\\d.]+ (?:s|min|h \\d\\d min)))  .*", "$1")
                    .length())
        .satisfies(ends -> assertThat(Set.copyOf(ends)).hasSize(1));
  }

  private static List<String> lines(SweepSpec spec, Duration job) {
    return lines(spec, rehearsed(spec, job));
  }

  private static Rehearsed rehearsed(SweepSpec spec, Duration job) {
    Assumptions assumptions = Assumptions.of(spec, List.of(), Optional.of(0.008), Optional.of(job));
    return new Rehearsal(spec, assumptions, Instant.EPOCH, 1).quickly(8, nights -> false);
  }

  private static List<String> lines(SweepSpec spec, Rehearsed rehearsed) {
    ZonedDateTime evening = ZonedDateTime.of(2026, 3, 2, 19, 0, 0, 0, ZoneOffset.UTC);
    return PacingText.lines(spec, rehearsed, evening, Optional.empty());
  }
}
