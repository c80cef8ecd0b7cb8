package io.nightsweep.conductor;

import io.nightsweep.judging.Refusals;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Tells a sweep's events one by one, and shows what a stage of the conductor decides then. */
final class Story {
  static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");

  private SweepState s = SweepState.empty();
  private Instant now = NIGHTFALL;

  Story(SweepSpec spec) {
    this("s", spec);
  }

  Story(String sweep, SweepSpec spec) {
    told(new Event.SweepStarted(sweep, 1, spec));
  }

  Story told(Event... events) {
    for (Event event : events) {
      s = s.apply(new Entry(s.seq() + 1, now, event));
    }
    return this;
  }

  Story later(Duration by) {
    now = now.plus(by);
    return this;
  }

  Story commanded(Command command) {
    return told(
        new Event.CommandAccepted(command, new Command.Origin(Command.Origin.Door.CLI, "me")));
  }

  /** Opens a wave with trials of these profiles, in this order, numbered from 1. */
  Story opened(String wave, Trial.Purpose purpose, String... profiles) {
    int from = s.nextTrial().number();
    String tag = s.spec().primaryTag().name();
    List<Trial> trials =
        IntStream.range(0, profiles.length)
            .mapToObj(i -> new Trial(new TrialId(from + i), wave, 1, purpose, profiles[i], tag, 1))
            .toList();
    return told(new Event.WaveOpened(wave, trials));
  }

  /** Puts a job of the attempt into the queue. */
  Story submitted(AttemptId attempt) {
    return told(
        new Event.SubmissionIntended(attempt, "job-" + attempt),
        new Event.Submitted(attempt, new JobId(attempt.toString())));
  }

  /** The cluster accepted no job of the attempt. */
  Story refused(AttemptId attempt) {
    return told(
        new Event.SubmissionIntended(attempt, "job-" + attempt),
        Refusals.refused(attempt, "sbatch: error: Invalid account"));
  }

  Story judged(AttemptId attempt, Judgement judgement) {
    return judged(attempt, judgement, now);
  }

  private Story judged(AttemptId attempt, Judgement judgement, Instant began) {
    JobEnd.State state =
        judgement instanceof Judgement.Failed ? JobEnd.State.FAILED : JobEnd.State.COMPLETED;
    JobEnd end = new JobEnd(state, 0, Optional.of(began), now, JobEnd.Source.EXIT_RECORD);
    return told(new Event.AttemptEnded(attempt, end), new Event.AttemptJudged(attempt, judgement));
  }

  Story failed(AttemptId attempt, String failureClass) {
    return judged(
        attempt,
        new Judgement.Failed(
            new Diagnosis(failureClass, 1, List.of(), Statement.words("as told"), List.of())));
  }

  /** Follows the waves' stage until the wave of this name is open, measured and closed. */
  Story walkedThrough(String wave, ToDoubleFunction<Trial> value) {
    for (int round = 0; round < 100; round++) {
      if (s.wave(wave).filter(w -> !w.isPending() && !w.isOpen()).isPresent()) {
        return this;
      }
      List<Decision> next = decisions(Waves::close);
      if (next.isEmpty()) {
        next = decisions(Waves::plan);
      }
      next.forEach(d -> told(((Decision.Append) d).event()));
      s.open().keySet().stream().toList().forEach(id -> measured(id, value));
    }
    throw new IllegalStateException("wave " + wave + " is " + s.wave(wave).map(WaveState::isOpen));
  }

  /** Follows the waves' stage until it decides nothing more; returns its decisions in order. */
  List<String> walked(ToDoubleFunction<Trial> value) {
    List<String> said = new ArrayList<>();
    for (int round = 0; round < 200; round++) {
      List<Decision> next = decisions(Waves::close);
      if (next.isEmpty()) {
        next = decisions(Waves::plan);
      }
      if (next.isEmpty()) {
        return said;
      }
      next.forEach(d -> said.add(words(d)));
      next.forEach(d -> told(((Decision.Append) d).event()));
      s.open().keySet().stream().toList().forEach(id -> measured(id, value));
    }
    throw new IllegalStateException("it goes on and on: " + said);
  }

  private void measured(TrialId id, ToDoubleFunction<Trial> value) {
    AttemptId attempt = id.attempt(1);
    Measurement m =
        new Measurement(value.applyAsDouble(s.trial(id).trial()), List.of(), 0, 0, new TreeMap<>());
    Instant began = now;
    submitted(attempt)
        .later(Duration.ofMinutes(8))
        .judged(attempt, new Judgement.Measured(m), began)
        .told(new Event.TrialClosed(id, new Disposition.Measured(attempt)));
  }

  SweepState state() {
    return s;
  }

  List<Decision> decisions(Function<View, List<Decision>> stage) {
    return stage.apply(view());
  }

  View view() {
    return new View(s, now, new BoardMemo());
  }

  /** The stage's first decision in a few words; "-" if there is none. */
  String says(Function<View, List<Decision>> stage) {
    return decisions(stage).stream().findFirst().map(Story::words).orElse("-");
  }

  /** The event that a decision appends to the journal. */
  static Event event(Decision decision) {
    return ((Decision.Append) decision).event();
  }

  static String words(Decision decision) {
    return switch (decision) {
      case Decision.Submit d -> "submit " + d.attempt();
      case Decision.Cancel d -> "cancel " + d.attempt();
      case Decision.TakeRemedyStep d -> "step " + d.index();
      case Decision.Append d ->
          switch (d.event()) {
            case Event.WaveOpened e -> "open " + e.wave();
            case Event.WaveSkipped e -> "skip " + e.wave() + " " + e.why();
            case Event.WaveClosed e -> "close " + e.wave();
            case Event.TrialsPlanned e -> "more for " + e.wave();
            case Event.ConfirmationPlanned e -> "confirm " + e.profile();
            case Event.TrialClosed e -> e.trial() + " " + e.disposition();
            case Event.RemedyBegun e -> "begin " + e.failureClass();
            case Event.RemedyStepDone e -> "step " + e.index() + " done";
            case Event.RemedyEnded e -> e.then() + " " + e.why();
            case Event.QuestionAsked e -> "ask";
            default -> d.event().getClass().getSimpleName();
          };
    };
  }
}
