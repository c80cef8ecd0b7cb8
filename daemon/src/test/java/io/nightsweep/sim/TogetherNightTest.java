package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two cells in one night, with one budget: jobs go where they can gain more, and one cell uses what
 * the other leaves.
 */
@Tag("hours")
@Tag("slow")
class TogetherNightTest {
  private static final String BETTER = "p17";
  private static final int HALF = Integer.getInteger("together.half", 50);

  /**
   * The results of nights of two cells.
   *
   * @param found winners that truly gain, of both cells
   * @param wrong winners that do not
   */
  private record Found(int nights, int found, int wrong, int jobs, double nodeHours) {
    static Found of(List<Night.Result> cells) {
      return new Found(
          1,
          (int) winners(cells).filter(BETTER::equals).count(),
          (int) winners(cells).filter(w -> !w.equals(BETTER)).count(),
          cells.stream().mapToInt(Night.Result::jobs).sum(),
          cells.stream().mapToDouble(Night.Result::nodeHours).sum());
    }

    private static Stream<String> winners(List<Night.Result> cells) {
      return cells.stream()
          .flatMap(cell -> Standings.winner(cell.state()).stream())
          .map(Standing::profile);
    }

    Found plus(Found other) {
      return new Found(
          nights + other.nights,
          found + other.found,
          wrong + other.wrong,
          jobs + other.jobs,
          nodeHours + other.nodeHours);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d nights: %d found, %d wrong, %.0f jobs, %.1f node-hours",
          nights,
          found,
          wrong,
          1.0 * jobs / nights,
          nodeHours / nights);
    }
  }

  private static SweepSpec spec(int jobs) {
    return ManyNights.spec(40, jobs).within(Budgets.ofJobs(jobs));
  }

  private static Surface surface(double gain, long seed) {
    return new DrawnSurface(
        gain > 0 ? Map.of(BETTER, new Response.Gain(Math.log1p(gain))) : Map.of(),
        1000,
        NoiseFamily.weather(0.008, List.of(NoiseFamily.USUAL)),
        seed);
  }

  private static TogetherNight together(double first, double second, Faults faults, long seed) {
    TogetherNight night = new TogetherNight();
    night.with("a", spec(HALF), surface(first, 2 * seed), faults, 2 * seed);
    night.with("b", spec(HALF), surface(second, 2 * seed + 1), faults, 2 * seed + 1);
    return night;
  }

  private static Found shared(double first, double second, int from, int nights) {
    return IntStream.range(from, from + nights)
        .parallel()
        .mapToObj(seed -> Found.of(run(together(first, second, Faults.none(), seed))))
        .reduce(Found::plus)
        .orElseThrow();
  }

  private static Found halves(double first, double second, int from, int nights) {
    return IntStream.range(from, from + nights)
        .parallel()
        .mapToObj(seed -> Found.of(List.of(alone(first, 2L * seed), alone(second, 2L * seed + 1))))
        .reduce(Found::plus)
        .orElseThrow();
  }

  private static Night.Result alone(double gain, long seed) {
    return Specs.night(spec(HALF), surface(gain, seed), Duration.ofMinutes(10), seed).run();
  }

  private static List<Night.Result> run(TogetherNight night) {
    try {
      return night.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCellWithNothingToFindGivesItsJobsToTheOther() {
    Found apart = halves(0, 0.02, 0, 12);
    Found together = shared(0, 0.02, 0, 12);
    assertThat(together.found()).as("%s, apart %s", together, apart).isGreaterThan(apart.found());
    assertThat(together.wrong()).isLessThanOrEqualTo(apart.wrong());
    assertThat(together.jobs()).isLessThanOrEqualTo(12 * 2 * HALF);
  }

  @Test
  void oneCellAtATimeHasTheNodesAndBothComeToTheirEnd() {
    TogetherNight night = together(0.02, 0.05, Faults.none(), 7);
    List<Night.Result> cells = run(night);
    assertThat(night.mostAtOnce()).isEqualTo(1);
    assertThat(cells).allSatisfy(cell -> assertThat(cell.state().isFinished()).isTrue());
    assertThat(cells.stream().mapToInt(cell -> cell.state().jobsTaken()).sum())
        .isLessThanOrEqualTo(2 * HALF);
    assertThat(cells)
        .allSatisfy(
            cell -> assertThat(cell.entries()).anyMatch(e -> e.event() instanceof Event.TurnTaken));
  }

  @Test
  void aDaemonThatDiesAtAnyMomentLosesNoTurnAndGivesNoneTwice() {
    for (long seed = 1; seed <= 3; seed++) {
      TogetherNight night = together(0, 0.05, Faults.none().with(Faults.Kind.CRASH, 0.02), seed);
      List<Night.Result> cells = run(night);
      assertThat(night.mostAtOnce()).isEqualTo(1);
      assertThat(cells.stream().mapToInt(Night.Result::crashes).sum()).isPositive();
      assertThat(cells).allSatisfy(cell -> assertThat(cell.state().isFinished()).isTrue());
      assertThat(cells.stream().mapToInt(cell -> cell.state().jobsTaken()).sum())
          .isLessThanOrEqualTo(2 * HALF);
    }
  }

  @Test
  void aPausedSweepHoldsUpNoOther() {
    TogetherNight night = new TogetherNight();
    AtomicBoolean isOtherOver = new AtomicBoolean();
    night
        .with("a", spec(HALF), surface(0, 1), Faults.none(), 1)
        .told(
            s ->
                s.phase() instanceof Phase.Running && s.commands().isEmpty() && s.jobsTaken() == 2
                    ? Optional.of(new Command.Pause())
                    : s.phase() instanceof Phase.Paused && isOtherOver.get()
                        ? Optional.of(new Command.Resume(Optional.empty(), Optional.empty()))
                        : Optional.empty());
    night
        .with("b", spec(HALF), surface(0.05, 2), Faults.none(), 2)
        .told(
            s -> {
              isOtherOver.compareAndSet(false, s.isFinished());
              return Optional.empty();
            });
    assertThat(run(night))
        .allSatisfy(cell -> assertThat(cell.state().isFinished()).isTrue())
        .first()
        .satisfies(cell -> assertThat(cell.state().commands()).hasSize(2));
  }

  /** The figures of {@code BENCHMARKS.md}. */
  @Test
  @Tag("night")
  void table() {
    int nights = Integer.getInteger("together.nights", 200);
    double[][] cells = {{0, 0.02}, {0.02, 0.02}, {0.05, 0.02}, {0, 0}};
    for (double[] gains : cells) {
      System.out.printf(
          Locale.ROOT,
          "%+.0f %% and %+.0f %%: halves %s; shared %s%n",
          100 * gains[0],
          100 * gains[1],
          halves(gains[0], gains[1], 0, nights),
          shared(gains[0], gains[1], 0, nights));
    }
  }
}
