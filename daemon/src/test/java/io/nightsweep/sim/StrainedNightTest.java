package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.CountedRuns;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.NodeStrain;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.TrialState;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node is slowed to a third while the better candidate has its only run. Without a report about
 * the node that run ends the profile; with one it is repeated once, and the verdict is the usual
 * one.
 */
@Tag("hours")
class StrainedNightTest {
  private static final String BETTER = "p3";
  private static final double GAIN = 0.06;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theVerdictIsUnharmed(long seed) {
    SweepState unseen = night(seed, List.of());
    TrialId only = firstLook(unseen).trial().id();
    assertThat(unseen.dropped()).as("the slow run ends the profile").containsKey(BETTER);
    assertThat(Standings.winner(unseen)).isEmpty();

    SweepState told =
        night(
            seed,
            List.of(
                new Event.NodeStrained(
                    only.attempt(1), new NodeStrain("n2", NodeStrain.Kind.THROTTLED, 0.7, 0))));
    assertThat(told.dropped()).doesNotContainKey(BETTER);
    assertThat(Standings.winner(told)).map(Standing::profile).contains(BETTER);
    assertThat(Standings.stragglers(told)).extracting(t -> t.trial().id()).contains(only);
    assertThat(ComparedRuns.of(told, BETTER, Phrases.EN))
        .filteredOn(
            run -> run.words().contains("; not counted in any estimate, since it is far from"))
        .hasSize(1);
    // The page's mean and number of runs for a profile are of the same runs.
    assertThat(CountedRuns.on(told, told.spec().primaryTag().name()).of(BETTER))
        .hasSize(Standings.board(told).of(BETTER).orElseThrow().estimate().runs());
  }

  private static SweepState night(long seed, List<Event> known) {
    return Specs.night(
            Specs.kernels(8, 90),
            new SlowOnce(Specs.surface(0, 0.005)),
            Duration.ofMinutes(8),
            seed)
        .after(known)
        .run()
        .state();
  }

  private static TrialState firstLook(SweepState s) {
    return s.trials().values().stream()
        .filter(t -> t.trial().profile().equals(BETTER))
        .filter(t -> t.trial().purpose() == Purpose.SCREEN)
        .findFirst()
        .orElseThrow();
  }

  /** A surface on which the better candidate gains, but its first run meets a slow node. */
  private static final class SlowOnce implements Surface {
    private final Surface quiet;
    private double slowAt = -1;

    SlowOnce(Surface quiet) {
      this.quiet = quiet;
    }

    @Override
    public double effect(Profile profile, String configTag) {
      return profile.name().equals(BETTER) ? Math.log1p(GAIN) : 0;
    }

    @Override
    public double baseline(String configTag) {
      return quiet.baseline(configTag);
    }

    @Override
    public double drift(double hours) {
      return 0;
    }

    @Override
    public double noise(SplittableRandom random) {
      return quiet.noise(random);
    }

    @Override
    public double disturbance(SurfaceRun run, SplittableRandom random) {
      if (!run.profile().name().equals(BETTER)) {
        return 0;
      }
      slowAt = slowAt < 0 ? run.hours() : slowAt;
      return run.hours() == slowAt ? Math.log(1 / 3.0) : 0;
    }
  }
}
