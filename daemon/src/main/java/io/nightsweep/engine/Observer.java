package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.triage.BaselinePace;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.Watch;
import io.nightsweep.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Turns what the cluster and the jobs' files say into events. */
public final class Observer {
  private static final String NODE_DOWN = "node-down";

  /** Fewer steps of a window are not journaled: nothing is decided by them. */
  private static final int JUDGED_FROM = 4;

  private final SweepDirectory directory;
  private final Cluster cluster;
  private final Workload workload;
  private final Diagnoser diagnoser;
  private final Settings settings;
  private final EvidenceDesk evidence;
  private final LogDesk logs;
  private final Map<AttemptId, Instant> unknownSince = new HashMap<>();
  private final Map<AttemptId, Instant> nodesGoneSince = new HashMap<>();

  public Observer(
      SweepDirectory directory,
      Cluster cluster,
      Workload workload,
      Diagnoser diagnoser,
      Settings settings) {
    this(directory, cluster, workload, diagnoser, settings, EvidenceReader.nothing());
  }

  public Observer(
      SweepDirectory directory,
      Cluster cluster,
      Workload workload,
      Diagnoser diagnoser,
      Settings settings,
      EvidenceReader evidence) {
    this.directory = directory;
    this.cluster = cluster;
    this.workload = workload;
    this.diagnoser = diagnoser;
    this.settings = settings;
    this.logs = new LogDesk(directory, workload, diagnoser);
    this.evidence = new EvidenceDesk(evidence, workload, directory);
  }

  /** Asks the cluster once for all jobs in flight. */
  List<Event> observe(SweepState s, Instant now)
      throws ClusterUnreachableException, InterruptedException {
    List<AttemptState> inFlight = s.inFlight().stream().filter(a -> a.job().isPresent()).toList();
    if (inFlight.isEmpty()) {
      if (s.clusterOutage().isPresent()) {
        cluster.nodes(s.cell().nodes());
      }
      return List.of();
    }
    Map<JobId, JobStatus> statuses =
        cluster.observe(inFlight.stream().map(a -> handle(a)).toList());
    List<Event> events = new ArrayList<>();
    for (AttemptState a : inFlight) {
      JobStatus status =
          statuses.getOrDefault(
              a.job().orElseThrow(), new JobStatus.Unknown("the cluster did not mention it"));
      if (!(status instanceof JobStatus.Unknown)) {
        unknownSince.remove(a.id());
      }
      switch (status) {
        case JobStatus.Pending p -> {
          if (p.forWantOfNodes()) {
            nodesGone(s, a, now).ifPresent(events::add);
          } else {
            nodesGoneSince.remove(a.id());
          }
        }
        case JobStatus.Completing c -> {}
        case JobStatus.Running r -> {
          if (a.startedAt().isEmpty()) {
            events.add(new Event.AttemptStarted(a.id(), r.startedAt(), r.nodes()));
          }
          // A log that has just shown a step is not silent.
          List<Event> progress = progress(s, a, now);
          events.addAll(progress);
          if (progress.isEmpty()) {
            hopeless(s, a, r.startedAt(), now).ifPresent(events::add);
          }
        }
        case JobStatus.Ended e ->
            ended(a, e.end())
                .ifPresent(
                    event -> {
                      missedStart(a, e).ifPresent(events::add);
                      events.add(event);
                    });
        case JobStatus.Unknown u -> vanished(a, now).ifPresent(events::add);
      }
    }
    return events;
  }

  /** Attempts whose submission's outcome is unknown and whose job, if any, must be looked up. */
  List<AttemptState> unanswered(SweepState s, Instant now) {
    return s.inFlight().stream()
        .filter(a -> a.job().isEmpty())
        .filter(a -> !now.isBefore(a.intendedAt().plus(settings.intentGrace())))
        .toList();
  }

  Optional<JobId> find(AttemptState a) throws ClusterUnreachableException, InterruptedException {
    return cluster.find(handle(a));
  }

  /** An intent that came to nothing while the sweep does not run; its trial may run later. */
  static List<Event> neverQueued(AttemptState a, Instant now) {
    JobEnd end =
        new JobEnd(JobEnd.State.NEVER_STARTED, 0, Optional.empty(), now, JobEnd.Source.QUEUE);
    return List.of(
        new Event.CancelRequested(a.id(), "it was never queued"),
        new Event.AttemptEnded(a.id(), end));
  }

  /** What profiled attempts show, as far as it is read by now. */
  List<Event> findings(SweepState s) {
    return evidence.collect(s);
  }

  /** What each ended attempt counts as. */
  List<Event> judge(SweepState s) throws ClusterUnreachableException, InterruptedException {
    List<Event> events = new ArrayList<>();
    Provenance provenance = new Provenance(s.inventory());
    for (AttemptState a : ended(s)) {
      probed(s, a).ifPresent(events::add);
      Judgement judgement = judge(s, a, a.end().orElseThrow(), provenance);
      events.add(new Event.AttemptJudged(a.id(), judgement));
    }
    provenance.changed().ifPresent(facts -> events.add(new Event.InventoryTaken(facts)));
    return events;
  }

  /** What a probe job says of the candidates' flags. */
  private Optional<Event> probed(SweepState s, AttemptState a) {
    Trial trial = s.trial(a.id().trial()).trial();
    if (trial.purpose() != Trial.Purpose.PROBE) {
      return Optional.empty();
    }
    Workload.Request request = Actor.request(s, trial, a.id(), directory);
    JobLog log = logs.of(request, a);
    List<String> unknown = workload.read(request, log).unknownFlags();
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Event.FindingMade(Finding.ofUnknownFlags(a.id(), unknown, log.path().toString())));
  }

  private static List<AttemptState> ended(SweepState s) {
    return s.open().values().stream()
        .flatMap(t -> t.attempts().stream())
        .filter(a -> a.end().isPresent() && a.judgement().isEmpty())
        .toList();
  }

  private Judgement judge(SweepState s, AttemptState a, JobEnd end, Provenance provenance)
      throws ClusterUnreachableException, InterruptedException {
    Trial trial = s.trial(a.id().trial()).trial();
    Workload.Request request = Actor.request(s, trial, a.id(), directory);
    JobLog jobLog = logs.ended(request, a);
    Workload.Reading reading = workload.read(request, jobLog);
    Optional<String> different =
        reading.effective() instanceof Workload.Effective.Different d
            ? Optional.of(d.found())
            : provenance.take(reading.provenance());
    if (different.isPresent()) {
      return new Judgement.Voided(different.get());
    }
    boolean clean = endedWell(end, reading);
    if (clean && !trial.purpose().measures() && reading.measurement().isEmpty()) {
      return new Judgement.Done("ended with exit code 0");
    }
    Diagnosis found =
        diagnoser.diagnose(
            a.id(),
            end,
            jobLog,
            Math.max(a.step(), reading.step()),
            reading.stepsTotal(),
            a.givenUp());
    Diagnosis diagnosis =
        found.failureClass().equals(Diagnoser.NAN_LOSS)
            ? found
            : reading.measurement().flatMap(Observer::diverged).orElse(found);
    // A loss that is no number is a failure whatever the exit code and the speed.
    if (clean
        && reading.measurement().isPresent()
        && !diagnosis.failureClass().equals(Diagnoser.NAN_LOSS)) {
      return reading.effective() instanceof Workload.Effective.AsScheduled
          ? new Judgement.Measured(reading.measurement().get())
          : new Judgement.Voided("the job does not attest the profile that it saw");
    }
    if (diagnosis.failureClass().equals(Diagnoser.SOFT_SUCCESS)
        && reading.measurement().isPresent()
        && reading.effective() instanceof Workload.Effective.AsScheduled) {
      return new Judgement.Measured(reading.measurement().get());
    }
    return new Judgement.Failed(withFailingNodes(s, end, diagnosis));
  }

  /** In whatever words the workload prints its losses. */
  private static Optional<Diagnosis> diverged(Measurement m) {
    return m.steps().stream()
        .filter(step -> step.loss().isPresent() && !Double.isFinite(step.loss().getAsDouble()))
        .findFirst()
        .map(
            step ->
                new Diagnosis(
                    Diagnoser.NAN_LOSS,
                    1,
                    List.of(),
                    "the loss is no finite number from step " + step.index() + " on",
                    List.of()));
  }

  /** Where the cluster ended the job for want of a node, it also knows which one. */
  private Diagnosis withFailingNodes(SweepState s, JobEnd end, Diagnosis d)
      throws ClusterUnreachableException, InterruptedException {
    boolean ofNodes =
        switch (end.state()) {
          case NODE_FAIL, NEVER_STARTED, VANISHED -> true;
          case COMPLETED,
              FAILED,
              CANCELLED,
              TIME_LIMIT,
              OUT_OF_MEMORY,
              PREEMPTED,
              REQUEUED,
              DUPLICATE ->
              false;
        };
    if (!ofNodes || d.subjects().stream().anyMatch(s.cell().nodes()::contains)) {
      return d;
    }
    List<Cluster.Node> unusable = unusable(s);
    if (unusable.isEmpty()) {
      return d;
    }
    List<String> subjects = new ArrayList<>(d.subjects());
    unusable.forEach(n -> subjects.add(n.name()));
    return new Diagnosis(
        d.failureClass(),
        d.confidence(),
        d.quotes(),
        d.detail() + "; " + words(unusable),
        subjects);
  }

  /** A job that waits for a pinned node which is down or drained would wait for ever. */
  private Optional<Event> nodesGone(SweepState s, AttemptState a, Instant now)
      throws ClusterUnreachableException, InterruptedException {
    Instant since = nodesGoneSince.computeIfAbsent(a.id(), id -> now);
    if (a.givenUp().isPresent() || now.isBefore(since.plus(settings.nodeGrace()))) {
      return Optional.empty();
    }
    List<Cluster.Node> unusable = unusable(s);
    return unusable.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Event.AttemptGivenUp(
                a.id(),
                new Diagnosis(
                    NODE_DOWN,
                    1,
                    List.of(),
                    words(unusable),
                    unusable.stream().map(Cluster.Node::name).toList())));
  }

  private List<Cluster.Node> unusable(SweepState s)
      throws ClusterUnreachableException, InterruptedException {
    return cluster.nodes(s.cell().nodes()).stream()
        .filter(n -> n.availability() == Cluster.Node.Availability.UNUSABLE)
        .toList();
  }

  private static String words(List<Cluster.Node> nodes) {
    return nodes.stream()
        .map(n -> n.name() + " is " + n.state() + (n.why().isEmpty() ? "" : " (" + n.why() + ")"))
        .collect(Collectors.joining(", "));
  }

  /** A job that no source knows any more is judged by what its own output says of its end. */
  private static boolean endedWell(JobEnd end, Workload.Reading reading) {
    return switch (end.state()) {
      case COMPLETED -> end.exitCode() == 0;
      case VANISHED -> reading.exitCode().equals(OptionalInt.of(0));
      case FAILED,
          CANCELLED,
          TIME_LIMIT,
          OUT_OF_MEMORY,
          NODE_FAIL,
          PREEMPTED,
          REQUEUED,
          NEVER_STARTED,
          DUPLICATE ->
          false;
    };
  }

  /** A step that is new, and what a candidate shows by then if its job attests what it runs. */
  private List<Event> progress(SweepState s, AttemptState a, Instant now) {
    if (!isDue(a, now)) {
      return List.of();
    }
    Trial trial = s.trial(a.id().trial()).trial();
    Workload.Request request = Actor.request(s, trial, a.id(), directory);
    Workload.Reading reading = workload.read(request, logs.of(request, a));
    if (reading.step() <= a.step()) {
      return List.of();
    }
    List<Event> events = new ArrayList<>();
    events.add(new Event.AttemptProgressed(a.id(), reading.step(), reading.stepsTotal()));
    if (trial.purpose() == Trial.Purpose.SCREEN
        && reading.effective() instanceof Workload.Effective.AsScheduled) {
      reading
          .sofar()
          .filter(m -> m.steps().getLast().index() - m.windowFrom() >= JUDGED_FROM - 1)
          .ifPresent(m -> events.add(new Event.AttemptShown(a.id(), m)));
    }
    return events;
  }

  private boolean isDue(AttemptState a, Instant now) {
    return Duration.between(a.lastProgressAt(), now).compareTo(settings.progressInterval()) >= 0;
  }

  /** What the log of a running job says against waiting for its end. */
  private Optional<Event> hopeless(SweepState s, AttemptState a, Instant startedAt, Instant now) {
    if (a.givenUp().isPresent() || a.cancelReason().isPresent()) {
      return Optional.empty();
    }
    Trial trial = s.trial(a.id().trial()).trial();
    Optional<Instant> seen = a.step() < 0 ? Optional.empty() : Optional.of(a.lastProgressAt());
    // Between two readings nobody knows whether there is a newer step.
    Optional<Instant> lastStepAt = isDue(a, now) ? seen : Optional.of(now);
    Watch watch =
        new Watch(
            now,
            a.startedAt().orElse(startedAt),
            lastStepAt,
            a.step(),
            a.stepsTotal(),
            isFirstCompile(s, trial),
            s.profile(trial.profile()).isBaseline(),
            BaselinePace.seconds(s, trial.configTag()));
    return diagnoser
        .look(a.id(), logs.of(Actor.request(s, trial, a.id(), directory), a), watch)
        .map(diagnosis -> new Event.AttemptGivenUp(a.id(), diagnosis));
  }

  /**
   * Whether nobody knows yet how long the cell takes to compile: no job of the config tag has come
   * to a step on these nodes. A probe compiles a program of its own, and counts for nothing.
   */
  private static boolean isFirstCompile(SweepState s, Trial trial) {
    return s.countingTrials()
        .filter(o -> o.trial().configTag().equals(trial.configTag()))
        .filter(o -> o.trial().purpose() != Trial.Purpose.PROBE)
        .flatMap(o -> o.attempts().stream())
        .noneMatch(a -> a.step() >= 0 || a.measurement().isPresent());
  }

  /** A short job starts and ends between two looks; where it ran is known all the same. */
  private static Optional<Event> missedStart(AttemptState a, JobStatus.Ended ended) {
    return a.startedAt().isPresent() || ended.end().state() == JobEnd.State.DUPLICATE
        ? Optional.empty()
        : ended.end().startedAt().map(at -> new Event.AttemptStarted(a.id(), at, ended.nodes()));
  }

  /** A duplicate's end says nothing of the attempt: the job that holds the claim goes on. */
  private Optional<Event> ended(AttemptState a, JobEnd end)
      throws ClusterUnreachableException, InterruptedException {
    if (end.state() != JobEnd.State.DUPLICATE) {
      return Optional.of(new Event.AttemptEnded(a.id(), end));
    }
    Optional<JobId> owner =
        cluster.find(
            new JobHandle(a.jobName(), Optional.empty(), a.intendedAt(), directory.job(a.id())));
    return owner
        .filter(job -> !a.job().equals(Optional.of(job)))
        .map(job -> new Event.Submitted(a.id(), job));
  }

  private Optional<Event> vanished(AttemptState a, Instant now) {
    Instant since = unknownSince.computeIfAbsent(a.id(), id -> now);
    if (now.isBefore(since.plus(settings.unknownGrace()))) {
      return Optional.empty();
    }
    return Optional.of(
        new Event.AttemptEnded(
            a.id(), new JobEnd(JobEnd.State.VANISHED, 0, a.startedAt(), now, JobEnd.Source.QUEUE)));
  }

  private JobHandle handle(AttemptState a) {
    return new JobHandle(a.jobName(), a.job(), a.intendedAt(), directory.job(a.id()));
  }
}
