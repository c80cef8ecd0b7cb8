package io.nightsweep.engine;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Subject;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What was decided about a subject, why, and which events led to it.
 *
 * @param profile the profile in question, found by its own name or that of a trial or an attempt
 */
public record Explanation(List<ExplainedDecision> steps, Optional<String> profile) {
  /** At most this many of the latest events are shown before a decision. */
  private static final int EVENTS_SHOWN = 5;

  /** The subject for the last decision alone. */
  public static final String LAST = "last";

  /**
   * A decision.
   *
   * @param seq the last event before the decision
   * @param after the latest of the events that led to it
   */
  public record ExplainedDecision(Instant at, long seq, Decision decision, List<Entry> after) {
    public ExplainedDecision {
      after = List.copyOf(after);
    }
  }

  /** The source of an explanation; it can be read once and used for many subjects. */
  public record Grounds(List<FileDecisionLog.LoggedDecision> decisions, EventSource journal) {
    public Grounds {
      decisions = List.copyOf(decisions);
    }

    public static Grounds of(SweepDirectory directory) throws IOException {
      return new Grounds(
          FileDecisionLog.read(directory.decisions()),
          sink ->
              JournalReader.read(
                  directory.journal(),
                  e -> sink.accept(new WordedEvent(e, EventLines.of(e.event())))));
    }

    /** A copy in memory. */
    public Grounds kept() throws IOException {
      List<WordedEvent> events = new ArrayList<>();
      journal.read(events::add);
      return new Grounds(decisions, events::forEach);
    }
  }

  /** All events of a sweep, in order. */
  public interface EventSource {
    void read(Consumer<WordedEvent> sink) throws IOException;
  }

  /** An event and its English text, which names its subject. */
  public record WordedEvent(Entry entry, String words) {}

  public Explanation {
    steps = List.copyOf(steps);
  }

  /**
   * @param about a trial, an attempt, a profile, a wave or {@value #LAST}; empty: everything
   * @param last number of decisions, counted from the latest; 0: all
   */
  public static Explanation of(Grounds grounds, SweepState s, Optional<String> about, int last)
      throws IOException {
    boolean onlyLast = about.filter(LAST::equals).isPresent();
    Subject subject =
        onlyLast
            ? Subject.everything()
            : about.map(a -> Subject.of(s, a)).orElseGet(Subject::everything);
    List<FileDecisionLog.LoggedDecision> lines =
        grounds.decisions().stream()
            .filter(
                l ->
                    subject.isIn(
                        EventLines.of(l.decision()) + " " + EventLines.because(l.decision())))
            .toList();
    int shown = onlyLast ? 1 : last;
    int from = shown > 0 ? Math.max(0, lines.size() - shown) : 0;
    long since = from > 0 ? lines.get(from - 1).seq() : 0;
    List<Entry> events = new ArrayList<>();
    if (!lines.isEmpty()) {
      long first = since;
      grounds
          .journal()
          .read(
              e -> {
                if (e.entry().seq() > first && subject.isIn(e.words())) {
                  events.add(e.entry());
                }
              });
    }
    List<ExplainedDecision> steps = new ArrayList<>();
    for (FileDecisionLog.LoggedDecision l : lines.subList(from, lines.size())) {
      steps.add(
          new ExplainedDecision(l.at(), l.seq(), l.decision(), between(events, since, l.seq())));
      since = l.seq();
    }
    return new Explanation(steps, about.flatMap(a -> ComparedRuns.profile(s, a)));
  }

  private static List<Entry> between(List<Entry> events, long after, long upTo) {
    List<Entry> led = events.stream().filter(e -> e.seq() > after && e.seq() <= upTo).toList();
    return led.subList(Math.max(0, led.size() - EVENTS_SHOWN), led.size());
  }
}
