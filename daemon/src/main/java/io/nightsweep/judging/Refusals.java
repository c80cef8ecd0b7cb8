package io.nightsweep.judging;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What follows when no job of a trial was queued. */
public final class Refusals {
  private Refusals() {}

  /** The workload or the build cannot run the trial, nor any other trial of the candidate. */
  public static List<Event> unsupported(SweepState s, Trial trial, Statement reason) {
    List<Event> events = new ArrayList<>();
    events.add(new Event.TrialClosed(trial.id(), new Disposition.Unsupported(reason)));
    if (!s.isDropped(trial.profile()) && !s.profile(trial.profile()).isBaseline()) {
      events.add(
          new Event.ProfileDropped(
              trial.profile(),
              Event.ProfileDropped.DropCause.UNSUPPORTED,
              new Cause.Unsupported(reason)));
    }
    return events;
  }

  /** The cluster refused the job; the words are the cluster's. */
  public static Event refused(AttemptId attempt, String words) {
    return new Event.SubmissionRefused(
        attempt,
        new Diagnosis(
            KnownClasses.SUBMISSION_REFUSED, 1, List.of(), Statement.words(words), List.of()));
  }

  /** An intent that led to no job while the sweep is not running; its trial may run later. */
  public static List<Event> neverQueued(AttemptId attempt, Instant now) {
    JobEnd end =
        new JobEnd(JobEnd.State.NEVER_STARTED, 0, Optional.empty(), now, JobEnd.Source.QUEUE);
    return List.of(
        new Event.CancelRequested(attempt, CancelCause.NEVER_QUEUED),
        new Event.AttemptEnded(attempt, end));
  }
}
