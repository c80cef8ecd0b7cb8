package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A running job that has already lost is ended early; others run to their end. */
@Tag("verdicts")
class EarlyStopNightTest {
  private static final Duration JOB = Duration.ofMinutes(30);

  @Test
  void aClearLoserIsStoppedWhileItRuns() {
    Night.Result night = night(-0.3);
    SweepState s = night.state();
    List<TrialState> stopped = stopped(s);
    assertThat(stopped).singleElement().satisfies(t -> assertThat(t.attempts()).hasSize(1));
    assertThat(stopped.getFirst().trial().profile()).isEqualTo("p3");
    assertThat(s.dropped().get("p3"))
        .satisfies(
            d -> {
              assertThat(d.cause()).isEqualTo(Event.ProfileDropped.DropCause.RACED_OUT);
              assertThat(d.why()).isInstanceOf(Cause.Behind.class);
            });
    assertThat(stopped.getFirst().disposition())
        .get()
        .isInstanceOfSatisfying(
            Disposition.Dropped.class, d -> assertThat(d.why()).isInstanceOf(Cause.Behind.class));
    assertThat(shownBefore(night.entries(), stopped.getFirst())).isTrue();
  }

  @Test
  void noJobIsStoppedThatNoiseMayExplain() {
    assertThat(stopped(night(-0.01).state())).isEmpty();
    assertThat(stopped(night(0.05).state())).isEmpty();
  }

  private static Night.Result night(double p3) {
    return Specs.night(
            Specs.kernels(8, 60),
            new DrawnSurface(
                new LinkedHashMap<>(Map.of("p3", new Response.Gain(p3))),
                1000,
                new Weather(0.008, 4, 0.00245, 0.0006, 0.004, 0.4),
                11),
            JOB,
            11)
        .run();
  }

  private static List<TrialState> stopped(SweepState s) {
    return s.trials().values().stream()
        .filter(
            t ->
                t.attempts().stream()
                    .anyMatch(a -> a.sofar().isPresent() && a.cancelCause().isPresent()))
        .toList();
  }

  private static boolean shownBefore(List<Entry> entries, TrialState stopped) {
    for (Entry entry : entries) {
      if (entry.event() instanceof Event.AttemptShown e
          && e.attempt().equals(stopped.attempts().getLast().id())) {
        return true;
      }
      if (entry.event() instanceof Event.CancelRequested) {
        return false;
      }
    }
    return false;
  }
}
