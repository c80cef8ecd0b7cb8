package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Verdict;
import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A night in which the fastest profile computes something else. */
@Tag("people")
class UnsafeNightTest {
  private static final String CHEAT = "p3";

  @Test
  void whatComputesSomethingElseIsNeverTheBestSoFar() {
    Night.Result night =
        Specs.night(Specs.kernels(8), Specs.surface(0.05, 0.005), Duration.ofMinutes(8), 7).run();
    SweepState s = SweepState.empty();
    List<Optional<String>> best = new ArrayList<>();
    for (Entry entry : night.entries()) {
      s = s.apply(new Entry(entry.seq(), entry.at(), withLoss(s, entry.event())));
      if (!s.isDropped(CHEAT) && isUnsafe(s)) {
        best.add(Progress.of(s, entry.at()).best().map(Progress.Best::profile));
      }
    }
    assertThat(best).isNotEmpty().doesNotContain(Optional.of(CHEAT));
    assertThat(Standings.board(s).standings().getLast().profile()).isEqualTo(CHEAT);
    assertThat(ProfileVerdict.lines(s, CHEAT).getFirst()).contains("the loss is ");
  }

  private static boolean isUnsafe(SweepState s) {
    return Standings.board(s)
        .of(CHEAT)
        .filter(st -> st.verdict() instanceof Verdict.Unsafe)
        .isPresent();
  }

  /** The result that a run prints; half of the others' if the run does half the work. */
  private static Event withLoss(SweepState s, Event event) {
    if (event instanceof Event.AttemptJudged judged
        && judged.judgement() instanceof Judgement.Measured measured) {
      Measurement m = measured.measurement();
      boolean cheats = s.trialOf(judged.attempt()).profile().equals(CHEAT);
      List<Measurement.MeasuredStep> steps =
          IntStream.rangeClosed(0, m.windowTo())
              .mapToObj(
                  i ->
                      new Measurement.MeasuredStep(
                          i, 1, m.value(), OptionalDouble.of(cheats ? 5 : 10)))
              .toList();
      return new Event.AttemptJudged(
          judged.attempt(),
          new Judgement.Measured(
              new Measurement(m.value(), steps, m.windowFrom(), m.windowTo(), m.extras())));
    }
    return event;
  }
}
