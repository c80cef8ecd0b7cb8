package io.nightsweep.engine;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.Subject;
import io.nightsweep.report.Words;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was decided about a subject, why, and which events led to it.
 *
 * @param runs of the profile that is meant, each against the baseline of its own time, in English
 */
public record Explanation(List<Step> steps, List<String> runs) {
  /** Of a busy hour before a decision, the latest events are shown. */
  private static final int EVENTS_SHOWN = 5;

  /** The subject that means the last decision alone. */
  public static final String LAST = "last";

  /**
   * A decision.
   *
   * @param seq the last event that it rests on
   * @param after the latest of the events that led to it
   */
  public record Step(Instant at, long seq, String decision, String because, List<Happened> after) {
    public Step {
      after = List.copyOf(after);
    }
  }

  /** An event in words. */
  public record Happened(long seq, Instant at, String words) {}

  public Explanation {
    steps = List.copyOf(steps);
    runs = List.copyOf(runs);
  }

  /**
   * @param about a trial, an attempt, a profile, a wave or {@value #LAST}; empty: everything
   * @param last how many decisions, the latest ones; 0: all
   */
  public static Explanation of(
      SweepDirectory directory, SweepState s, Optional<String> about, int last) throws IOException {
    boolean onlyLast = about.filter(LAST::equals).isPresent();
    Subject subject =
        onlyLast
            ? Subject.everything()
            : about.map(a -> Subject.of(s, a)).orElseGet(Subject::everything);
    List<FileDecisionLog.Line> lines =
        FileDecisionLog.read(directory.decisions()).stream()
            .filter(l -> subject.isIn(Words.of(l.decision()) + " " + l.decision().because()))
            .toList();
    int shown = onlyLast ? 1 : last;
    int from = shown > 0 ? Math.max(0, lines.size() - shown) : 0;
    long since = from > 0 ? lines.get(from - 1).seq() : 0;
    List<Happened> events = lines.isEmpty() ? List.of() : events(directory, subject);
    List<Step> steps = new ArrayList<>();
    for (FileDecisionLog.Line l : lines.subList(from, lines.size())) {
      steps.add(
          new Step(
              l.at(),
              l.seq(),
              Words.of(l.decision()),
              l.decision().because(),
              between(events, since, l.seq())));
      since = l.seq();
    }
    List<String> runs =
        about
            .flatMap(a -> ComparedRuns.profile(s, a))
            .map(profile -> ComparedRuns.of(s, profile))
            .orElse(List.of());
    return new Explanation(steps, runs);
  }

  private static List<Happened> events(SweepDirectory directory, Subject subject)
      throws IOException {
    List<Happened> events = new ArrayList<>();
    JournalReader.read(
        directory.journal(),
        (Entry e) -> {
          String words = Words.of(e.event());
          if (subject.isIn(words)) {
            events.add(new Happened(e.seq(), e.at(), words));
          }
        });
    return events;
  }

  private static List<Happened> between(List<Happened> events, long after, long upTo) {
    List<Happened> led = events.stream().filter(e -> e.seq() > after && e.seq() <= upTo).toList();
    return led.subList(Math.max(0, led.size() - EVENTS_SHOWN), led.size());
  }
}
