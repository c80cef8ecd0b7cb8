package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The logs of a profile's first two fresh runs are read, however many runs one look finds. */
@Tag("people")
class FreshLogsTest {
  private static final List<Entry> NIGHT =
      Specs.night(Specs.kernels(4, 60), Specs.surface(0.61, 0.002), Duration.ofMinutes(5), 7)
          .run()
          .entries();
  private static final SweepState END = SweepState.fold(NIGHT);
  private static final List<AttemptState> FRESH =
      END.attempts()
          .filter(a -> END.trialOf(a.id()).purpose() == Purpose.CONFIRM)
          .filter(a -> END.trialOf(a.id()).profile().equals("p3"))
          .toList();

  @Test
  void theSecondFreshRunCompletesThem() {
    assertThat(FRESH.size()).isGreaterThanOrEqualTo(3);
    assertThat(of(0, 0)).isEmpty();
    assertThat(of(1, 1)).contains(ids(2));
    assertThat(of(2, 2)).isEmpty();
  }

  @Test
  void runsThatOneLookFindsCountOneAfterTheOther() {
    assertThat(of(1, 0)).contains(ids(2));
    assertThat(of(2, 1)).isEmpty();
    assertThat(of(2, 0)).isEmpty();
  }

  /**
   * The fresh runs with logs to read when this one is judged.
   *
   * @param earlier the number judged by earlier looks; the others before this run are judged by the
   *     same look
   */
  private static Optional<List<AttemptId>> of(int run, int earlier) {
    AttemptState last = FRESH.get(run);
    List<AttemptState> beside = FRESH.subList(earlier, run);
    List<AttemptId> unjudged = beside.stream().map(AttemptState::id).toList();
    List<Entry> entries = new ArrayList<>();
    Optional<Judgement> judgement = Optional.empty();
    for (Entry e : NIGHT) {
      if (e.event() instanceof Event.AttemptJudged judged) {
        if (judged.attempt().equals(last.id())) {
          judgement = Optional.of(judged.judgement());
          break;
        }
        if (unjudged.contains(judged.attempt())) {
          continue;
        }
      }
      entries.add(new Entry(entries.size() + 1L, e.at(), e.event()));
    }
    return FreshLogs.of(SweepState.fold(entries), beside, last, judgement.orElseThrow())
        .map(logs -> logs.fresh().stream().map(AttemptState::id).toList());
  }

  private static List<AttemptId> ids(int count) {
    return FRESH.stream().limit(count).map(AttemptState::id).toList();
  }
}
