package io.nightsweep.sim;

import io.nightsweep.journal.Journal;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A journal that survives its daemon; the daemon dies just before or just after some of its
 * appends.
 */
final class CrashingJournal implements Journal {
  private final List<Entry> entries = new ArrayList<>();
  private final SplittableRandom random;
  private final double crash;

  CrashingJournal(SplittableRandom random, double crash) {
    this.random = random;
    this.crash = crash;
  }

  void start(Instant at, Event event) {
    entries.add(new Entry(entries.size() + 1L, at, event));
  }

  /**
   * Whether an append never fails. Appends that only begin or end a grace period, or tell of a
   * submission that queued no job, do not: faults of recorded nights were drawn without them and
   * must stay where they were.
   */
  static boolean isFaultless(List<Event> events) {
    return events.stream()
        .allMatch(
            e ->
                e instanceof Event.AttemptDoubted
                    || e instanceof Event.AttemptSeen
                    || e instanceof Event.SubmissionUnqueued
                    || e instanceof Event.SubmissionRepeated);
  }

  @Override
  public List<Entry> append(Instant at, List<Event> events) {
    boolean faultless = isFaultless(events);
    if (!faultless) {
      maybeCrash();
    }
    int before = entries.size();
    for (Event event : events) {
      entries.add(new Entry(entries.size() + 1L, at, event));
    }
    if (!faultless) {
      maybeCrash();
    }
    return List.copyOf(entries.subList(before, entries.size()));
  }

  List<Entry> entries() {
    return entries;
  }

  @Override
  public void close() {}

  private void maybeCrash() {
    if (crash > 0 && random.nextDouble() < crash) {
      throw new SimulatedCrash();
    }
  }
}
