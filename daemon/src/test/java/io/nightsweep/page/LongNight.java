package io.nightsweep.page;

import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A simulated night under way, with 1,000 attempts, most of them retries, and 50,000 events. */
final class LongNight {
  static final int ATTEMPTS = 1_000;
  static final int EVENTS = 50_000;

  private LongNight() {}

  /** The night up to its last attempt, then steps of its jobs. */
  static List<Entry> entries() {
    return entries(ATTEMPTS, EVENTS);
  }

  /** The same with other numbers of attempts and events. */
  static List<Entry> entries(int attemptsWanted, int events) {
    List<Entry> night = new ArrayList<>();
    int attempts = 0;
    for (Entry e : run()) {
      if (e.event() instanceof Event.SubmissionIntended && ++attempts > attemptsWanted) {
        break;
      }
      night.add(e);
    }
    SweepState state = SweepState.fold(night);
    if (state.isFinished() || state.attempts().count() != attemptsWanted) {
      throw new IllegalStateException("the night had " + attempts + " attempts");
    }
    List<AttemptState> all = state.attempts().toList();
    while (night.size() < events) {
      int i = night.size();
      night.add(
          new Entry(
              i + 1,
              night.getLast().at(),
              new Event.AttemptProgressed(all.get(i % all.size()).id(), i % 1000, 1000)));
    }
    return night;
  }

  /** What happens after {@link #entries()}: jobs start, fail, are measured, and trials close. */
  static List<Entry> goingOn(int events) {
    List<Entry> night = new ArrayList<>();
    int attempts = 0;
    for (Entry e : run()) {
      attempts += e.event() instanceof Event.SubmissionIntended ? 1 : 0;
      if (attempts > ATTEMPTS && night.size() < events) {
        night.add(new Entry(EVENTS + night.size() + 1, e.at(), e.event()));
      }
    }
    if (night.size() < events) {
      throw new IllegalStateException("the night has " + night.size() + " further events");
    }
    return night;
  }

  private static List<Entry> run() {
    return new Night(
            spec(),
            Specs.surface(0.05, 0.005),
            Faults.none().with(Faults.Kind.JOB_FAILS, 0.93),
            Duration.ofSeconds(20),
            5)
        .run()
        .entries();
  }

  static SweepSpec spec() {
    return Specs.patient(Specs.kernels(80, 10 * ATTEMPTS));
  }
}
