package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/**
 * What holds for every journal, whatever happens in the night; {@code DecideInvariantsTest} checks
 * this and more over more nights.
 */
@Tag("slow")
class ConductorProperties {

  @Property(tries = 8)
  void anyPrefixFoldsAndDecidingTwiceGivesTheSame(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 10) int profiles) {
    SweepState state = SweepState.empty();
    for (Entry entry : night(seed, profiles, 0.05).entries()) {
      state = state.apply(entry);
      List<Decision> once = Conductor.decide(state, entry.at());
      assertThat(Conductor.decide(state, entry.at())).isEqualTo(once);
    }
  }

  @Property(tries = 12)
  void everyTrialEndsInExactlyOneDisposition(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 10) int profiles,
      @ForAll @DoubleRange(min = 0, max = 0.3) double faults) {
    Night.Result night = night(seed, profiles, faults);
    Set<TrialId> planned = new HashSet<>();
    Map<TrialId, Integer> closed = new HashMap<>();
    for (Entry entry : night.entries()) {
      switch (entry.event()) {
        case Event.WaveOpened e -> e.trials().forEach(t -> planned.add(t.id()));
        case Event.TrialsPlanned e -> e.trials().forEach(t -> planned.add(t.id()));
        case Event.TrialClosed e -> closed.merge(e.trial(), 1, Integer::sum);
        default -> {}
      }
    }
    assertThat(night.state().isFinished()).isTrue();
    assertThat(closed.keySet()).isEqualTo(planned);
    assertThat(closed.values()).allMatch(n -> n == 1);
  }

  @Property(tries = 6)
  void noIntentIsEverQueuedTwice(
      @ForAll long seed, @ForAll @DoubleRange(min = 0, max = 0.2) double faults) {
    assertThat(night(seed, 6, faults).cluster().jobsByName().values()).allMatch(n -> n == 1);
  }

  @Property(tries = 6)
  void everyBlockHoldsAControl(@ForAll long seed) {
    Night.Result night = night(seed, 9, 0);
    Set<Integer> blocks = new HashSet<>();
    Set<Integer> controlled = new HashSet<>();
    night
        .state()
        .trials()
        .values()
        .forEach(
            t -> {
              blocks.add(t.trial().block());
              if (t.trial().purpose().isControl()) {
                controlled.add(t.trial().block());
              }
            });
    assertThat(controlled).isEqualTo(blocks);
  }

  private static Night.Result night(long seed, int profiles, double faults) {
    return new Night(
            Specs.kernels(profiles, 60),
            Specs.surface(0.04, 0.008),
            Faults.none()
                .with(Faults.Kind.JOB_FAILS, faults)
                .with(Faults.Kind.JOB_VANISHES, faults / 4)
                .with(Faults.Kind.UNREACHABLE, faults / 2)
                .with(Faults.Kind.ANSWER_LOST, faults / 2)
                .with(Faults.Kind.REFUSED, faults / 4)
                .with(Faults.Kind.CRASH, faults / 4),
            Duration.ofMinutes(8),
            seed)
        .run();
  }
}
