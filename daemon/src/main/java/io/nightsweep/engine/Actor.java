package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.LauncherSubmission;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.judging.Refusals;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Carries out the decisions that leave the process, and journals before and after each. */
public final class Actor {
  private final SweepDirectory directory;
  private final Cluster cluster;
  private final Workload workload;
  private final RemedySteps remedySteps;
  private final Map<AttemptId, CompletableFuture<StepEnd>> begun = new HashMap<>();

  public Actor(
      SweepDirectory directory, Cluster cluster, Workload workload, RemedySteps remedySteps) {
    this.directory = directory;
    this.cluster = cluster;
    this.workload = workload;
    this.remedySteps = remedySteps;
  }

  void submit(SweepState s, AttemptId attempt, SweepEngine.Recorder journal)
      throws IOException, InterruptedException, ClusterUnreachableException {
    Workload.LaunchRequest request = directory.request(s, attempt);
    Workload.Launch launch;
    try {
      launch = workload.launch(request);
    } catch (UnsupportedTrialException e) {
      journal.record(Refusals.unsupported(s, request.trial(), e.why()));
      return;
    }
    if (s.trial(attempt).nextAttempt().equals(attempt)) {
      List<Event> events =
          new ArrayList<>(SourceChanges.told(s, attempt, workload.changedSince(request)));
      events.add(new Event.SubmissionIntended(attempt, request.jobName()));
      journal.record(events);
    } else {
      journal.record(List.of(new Event.SubmissionRepeated(attempt)));
    }
    send(s, request, launch, journal);
  }

  void cancel(SweepState s, AttemptId attempt, CancelCause cause, SweepEngine.Recorder journal)
      throws IOException, InterruptedException, ClusterUnreachableException {
    journal.record(List.of(new Event.CancelRequested(attempt, cause)));
    cluster.cancel(directory.handle(s.attempt(attempt)));
  }

  /**
   * Repeats journaled cancellations that may not have reached the cluster, because an earlier
   * daemon ended or the cluster did not answer.
   */
  void cancelAgain(SweepState s) throws InterruptedException, ClusterUnreachableException {
    for (AttemptState a : s.inFlight()) {
      if (a.cancelCause().isPresent() && a.job().isPresent()) {
        cluster.cancel(directory.handle(a));
      }
    }
  }

  void takeRemedyStep(SweepState s, AttemptId attempt, int index, SweepEngine.Recorder journal)
      throws IOException {
    journal.record(List.of(new Event.RemedyStepBegun(attempt, index)));
    AttemptState a = s.attempt(attempt);
    begun.put(attempt, remedySteps.begin(step(a, index), a, s));
    collect(attempt, index, journal);
  }

  /**
   * Journals the outcomes of steps that have ended since the last tick. A step that an earlier
   * daemon began is begun again if its outcome is unknown.
   */
  void collectRemedySteps(SweepState s, SweepEngine.Recorder journal) throws IOException {
    Set<AttemptId> awaited = new HashSet<>();
    for (TrialState t : s.trials().values()) {
      Optional<AttemptState> last = t.isOpen() ? t.lastAttempt() : Optional.empty();
      Optional<Integer> running =
          last.flatMap(AttemptState::remedy)
              .flatMap(AttemptState.RemedyState::running)
              .map(AttemptState.StepUnderWay::index);
      if (running.isPresent()) {
        AttemptState a = last.orElseThrow();
        awaited.add(a.id());
        begun.computeIfAbsent(a.id(), id -> remedySteps.begin(step(a, running.get()), a, s));
        collect(a.id(), running.get(), journal);
      }
    }
    begun.keySet().retainAll(awaited);
  }

  private void collect(AttemptId attempt, int index, SweepEngine.Recorder journal)
      throws IOException {
    CompletableFuture<StepEnd> outcome = begun.get(attempt);
    if (outcome != null && outcome.isDone()) {
      begun.remove(attempt);
      journal.record(List.of(new Event.RemedyStepDone(attempt, index, outcome.join())));
    }
  }

  private static Remedy.RemedyStep step(AttemptState a, int index) {
    return a.remedy().orElseThrow().step(index);
  }

  private void send(
      SweepState s,
      Workload.LaunchRequest request,
      Workload.Launch launch,
      SweepEngine.Recorder journal)
      throws IOException, InterruptedException, ClusterUnreachableException {
    AttemptId attempt = request.attempt();
    try {
      JobId job =
          switch (launch) {
            case Workload.Launch.Payload payload -> cluster.submit(submission(s, request, payload));
            case Workload.Launch.Launcher launcher ->
                cluster.submit(
                    new LauncherSubmission(
                        request.jobName(),
                        launcher.script(),
                        launcher.patience(),
                        directory.job(attempt)));
          };
      journal.record(List.of(new Event.Submitted(attempt, job)));
    } catch (SubmissionRefusedException e) {
      journal.record(List.of(Refusals.refused(attempt, String.valueOf(e.getMessage()))));
    }
  }

  private Submission submission(
      SweepState s, Workload.LaunchRequest request, Workload.Launch.Payload launch) {
    JobFiles files = directory.job(request.attempt());
    return new Submission(
        request.jobName(),
        request.trial().profile(),
        s.cell().nodes(),
        s.cell().partition(),
        launch.tasks(),
        launch.perTask(),
        launch.timeLimit().orElse(s.spec().policy().jobTimeLimit()),
        launch.env(),
        launch.payload(),
        launch.workingDirectory().orElse(files.output()),
        files);
  }
}
