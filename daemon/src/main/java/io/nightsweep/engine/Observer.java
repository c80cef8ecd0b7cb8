package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.ExitRecord;
import io.nightsweep.cluster.JobAge;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.NodeSamples;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogForms;
import io.nightsweep.judging.FreshLogs;
import io.nightsweep.judging.ImplausibleRun;
import io.nightsweep.judging.Judging;
import io.nightsweep.judging.NodeStrains;
import io.nightsweep.judging.Provenance;
import io.nightsweep.judging.RunningJob;
import io.nightsweep.judging.Sightings;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeStrain;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.Watch;
import io.nightsweep.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Collects what the cluster and the jobs' files report; the judging room turns it into events. */
public final class Observer {
  /** Enough logs to know what every baseline run prints. */
  private static final int BASELINE_LOGS = 3;

  private static final int MOST_UNLIKE = 5;

  /** No playbook gives up a job after a shorter silence. */
  private static final Duration CERTAIN_AGE = Duration.ofMinutes(1);

  private final SweepDirectory directory;
  private final Cluster cluster;
  private final Workload workload;
  private final Diagnoser diagnoser;
  private final Settings settings;
  private final EvidenceDesk evidence;
  private final LlmDesk llm;
  private final Map<AttemptId, List<Measurement.MeasuredStep>> shown = new ConcurrentHashMap<>();
  private final LogDesk logs;
  private final AttemptErrors errors = new AttemptErrors();

  public Observer(
      SweepDirectory directory,
      Cluster cluster,
      Workload workload,
      Diagnoser diagnoser,
      Settings settings) {
    this(
        directory,
        cluster,
        workload,
        diagnoser,
        settings,
        EvidenceReader.nothing(),
        LlmDesk.none());
  }

  public Observer(
      SweepDirectory directory,
      Cluster cluster,
      Workload workload,
      Diagnoser diagnoser,
      Settings settings,
      EvidenceReader evidence,
      LlmDesk llm) {
    this.directory = directory;
    this.cluster = cluster;
    this.workload = workload;
    this.diagnoser = diagnoser;
    this.settings = settings;
    this.logs = new LogDesk(directory, workload, diagnoser);
    this.evidence = new EvidenceDesk(evidence, workload, directory);
    this.llm = llm;
  }

  /** Queries the cluster once for all jobs in flight. */
  List<Event> observe(SweepState s, Instant now)
      throws ClusterUnreachableException, InterruptedException {
    List<AttemptState> inFlight = s.inFlight().stream().filter(a -> a.job().isPresent()).toList();
    if (inFlight.isEmpty()) {
      if (s.clusterOutage().isPresent()) {
        cluster.nodes(s.cell().nodes());
      }
      return List.of();
    }
    Map<JobHandle, JobStatus> statuses =
        cluster.observe(inFlight.stream().map(a -> handle(a)).toList());
    List<Event> events = new ArrayList<>();
    for (AttemptState a : inFlight) {
      JobStatus told =
          statuses.getOrDefault(handle(a), new JobStatus.Unknown("the cluster did not mention it"));
      Optional<JobId> owner = owner(a, told);
      JobStatus status = Sightings.believed(a, told, owner);
      Sightings.doubt(a, status).ifPresent(events::add);
      events.addAll(
          owner.isPresent() && status.equals(told)
              ? Sightings.duplicated(a, owner).stream().toList()
              : seen(s, a, status, now));
    }
    return events;
  }

  /** The job that holds the claim, if this one ended as a duplicate. */
  private Optional<JobId> owner(AttemptState a, JobStatus status)
      throws ClusterUnreachableException, InterruptedException {
    return status instanceof JobStatus.Ended e && e.end().state() == JobEnd.State.DUPLICATE
        ? cluster.find(handle(a).unanswered())
        : Optional.empty();
  }

  private List<Event> seen(SweepState s, AttemptState a, JobStatus status, Instant now)
      throws ClusterUnreachableException, InterruptedException {
    return switch (status) {
      case JobStatus.Pending p ->
          p.forWantOfNodes() && Sightings.isLeftWaiting(a, settings.nodeGrace(), now)
              ? Sightings.nodesGone(a, cluster.nodes(s.cell().nodes())).stream().toList()
              : List.of();
      case JobStatus.Completing c -> List.of();
      case JobStatus.Running r -> running(s, a, r, now);
      case JobStatus.Ended e -> Sightings.ended(a, e, now);
      case JobStatus.Unknown u ->
          Sightings.vanished(a, settings.unknownGrace(), now).stream().toList();
    };
  }

  private List<Event> running(SweepState s, AttemptState a, JobStatus.Running r, Instant now) {
    List<Event> events = new ArrayList<>(Sightings.started(a, r).stream().toList());
    try {
      events.addAll(told(s, a, r, now));
    } catch (RuntimeException | VirtualMachineError e) {
      logs.forget(a.id());
      Optional<Diagnosis> failure = errors.failure(a.id(), e);
      if (failure.isPresent() && RunningJob.isWatched(a)) {
        events.add(new Event.AttemptGivenUp(a.id(), failure.get()));
      }
    }
    return events;
  }

  /** What a running job's own output shows. */
  private List<Event> told(SweepState s, AttemptState a, JobStatus.Running r, Instant now) {
    Workload.LaunchRequest request = directory.request(s, a.id());
    boolean due = RunningJob.isDue(a, settings.progressInterval(), now);
    List<Event> events = new ArrayList<>(due ? progress(s, a, request) : List.of());
    // A job with a new step in its log is not silent.
    if (events.isEmpty() && RunningJob.isWatched(a)) {
      diagnoser
          .look(a.id(), logs.of(request, a), watch(s, a, r, due, now))
          .ifPresent(diagnosis -> events.add(new Event.AttemptGivenUp(a.id(), diagnosis)));
    }
    return events;
  }

  /**
   * A daemon that starts while the clock is ahead overestimates the age of jobs. A silence is
   * therefore compared with the age that the job's own files show.
   */
  private Watch watch(SweepState s, AttemptState a, JobStatus.Running r, boolean due, Instant now) {
    Watch watch = RunningJob.watch(s, a, r.startedAt(), due, now);
    return watch.silence().compareTo(CERTAIN_AGE) > 0
        ? JobAge.of(directory.job(a.id())).map(watch::noOlderThan).orElse(watch)
        : watch;
  }

  private List<Event> progress(SweepState s, AttemptState a, Workload.LaunchRequest request) {
    JobLog log = logs.of(request, a);
    Workload.WorkloadReading reading = workload.read(request, log);
    shown.put(a.id(), workload.shown(request, log));
    List<Event> events = new ArrayList<>(RunningJob.progress(a, request.trial(), reading));
    // This precedes the judgement of the steps, so that a run on a slow node is not given up
    // because of them.
    if (events.stream().anyMatch(Event.AttemptShown.class::isInstance)) {
      events.addAll(0, strains(s, a));
    }
    return events;
  }

  /** New strains of nodes that are not journaled yet. */
  private List<Event> strains(SweepState s, AttemptState a) {
    if (!s.spec().plan().checksNodes()) {
      return List.of();
    }
    TreeMap<String, Map<NodeStrain.Kind, Double>> figures = new TreeMap<>();
    NodeSamples.of(directory.job(a.id()), s.cell().nodes())
        .forEach(told -> figures.put(told.node(), told.figures()));
    return NodeStrains.of(figures).stream()
        .filter(strain -> !isKnown(s, a.id(), strain))
        .<Event>map(strain -> new Event.NodeStrained(a.id(), strain))
        .toList();
  }

  private static boolean isKnown(SweepState s, AttemptId attempt, NodeStrain strain) {
    return s.strains().stream()
        .anyMatch(
            e ->
                e.attempt().equals(attempt)
                    && e.strain().node().equals(strain.node())
                    && e.strain().kind() == strain.kind());
  }

  /** The steps of a running job from its last reading; for display, and safe for any thread. */
  List<Measurement.MeasuredStep> shown(AttemptId attempt) {
    return shown.getOrDefault(attempt, List.of());
  }

  /** Attempts with an unknown outcome of the submission; their job, if any, must be looked up. */
  List<AttemptState> unanswered(SweepState s, Instant now) {
    return s.inFlight().stream()
        .filter(a -> Sightings.isUnanswered(a, settings.intentGrace(), now))
        .toList();
  }

  /** New information about the job of an attempt from {@link #unanswered}. */
  Optional<Event> lookUp(AttemptState a) throws ClusterUnreachableException, InterruptedException {
    Optional<JobId> found = cluster.find(handle(a));
    if (found.isPresent()) {
      return Optional.of(new Event.Submitted(a.id(), found.get()));
    }
    return a.isUnqueued() ? Optional.empty() : Optional.of(new Event.SubmissionUnqueued(a.id()));
  }

  /** Findings about profiled attempts that have been read by now. */
  List<Event> findings(SweepState s) {
    List<Event> events = new ArrayList<>(evidence.collect(s));
    events.addAll(llm.collect(s));
    return events;
  }

  /** Decides how each ended attempt counts. */
  List<Event> judge(SweepState s) throws ClusterUnreachableException, InterruptedException {
    List<Event> events = new ArrayList<>();
    List<AttemptState> measured = new ArrayList<>();
    Provenance provenance = new Provenance(s.inventory());
    for (AttemptState a : ended(s)) {
      List<Event> judged = new ArrayList<>();
      try {
        provenance = judge(s, a, measured, provenance, judged);
        errors.forget(a.id());
      } catch (RuntimeException | VirtualMachineError e) {
        judged =
            errors.failure(a.id(), e).stream()
                .<Event>map(
                    failure ->
                        new Event.AttemptJudged(
                            a.id(), new Judgement.Failed(a.givenUp().orElse(failure))))
                .toList();
      }
      events.addAll(judged);
    }
    // Not earlier: while the cluster does not answer, the attempts are judged again at the next
    // tick.
    ended(s).forEach(a -> logs.forget(a.id()));
    if (!provenance.inventory().equals(s.inventory())) {
      events.add(new Event.InventoryTaken(provenance.inventory()));
    }
    return events;
  }

  /**
   * @param measured attempts that this tick has measured; this one is added if measured
   * @param events receives the judgement
   * @return the software of all attempts up to this one
   */
  private Provenance judge(
      SweepState s,
      AttemptState a,
      List<AttemptState> measured,
      Provenance provenance,
      List<Event> events)
      throws ClusterUnreachableException, InterruptedException {
    Workload.LaunchRequest request = directory.request(s, a.id());
    Trial trial = request.trial();
    JobLog log = logs.ended(request, a);
    shown.remove(a.id());
    Workload.WorkloadReading reading = workload.read(request, log);
    if (trial.purpose() == Trial.Purpose.PROBE && !reading.unknownFlags().isEmpty()) {
      events.add(
          new Event.FindingMade(
              Finding.ofUnknownFlags(a.id(), reading.unknownFlags(), log.path().toString())));
    }
    if (trial.purpose() == Trial.Purpose.PROBE && !reading.knownSettings().isEmpty()) {
      events.add(
          new Event.FindingMade(
              Finding.ofKnownSettings(a.id(), reading.knownSettings(), log.path().toString())));
    }
    Judging.Observed observed = observed(request, a, log, reading, provenance);
    events.addAll(SourceChanges.told(s, a.id(), observed.contradiction()));
    Judgement judgement = believed(s, a, Judging.judge(observed));
    if (trial.purpose() == Trial.Purpose.NODE_GATE && judgement instanceof Judgement.Done) {
      List<NodeFigures> figures = workload.nodeFigures(request);
      events.add(
          new Event.NodesChecked(
              a.id(),
              figures,
              figures.isEmpty() ? List.of() : EarlierChecks.of(directory, s.cell().nodes())));
    }
    events.addAll(strains(s, a));
    unlikeLogs(s, measured, a, judgement).ifPresent(events::add);
    events.add(new Event.AttemptJudged(a.id(), withNodes(s, a, observed.end(), judgement)));
    if (judgement instanceof Judgement.Measured) {
      measured.add(a);
    }
    return observed.difference().isEmpty() ? provenance.with(reading.provenance()) : provenance;
  }

  /** Queries the cluster only if its nodes may be the cause. */
  private Judgement withNodes(SweepState s, AttemptState a, JobEnd end, Judgement judgement)
      throws ClusterUnreachableException, InterruptedException {
    if (Judging.lacksItsNodes(end, judgement, s.cell().nodes())) {
      return Judging.naming(judgement, cluster.nodes(s.cell().nodes()));
    }
    return Judging.isOfAJobGivenUp(judgement, a.givenUp())
        ? Judging.withItsNode(judgement, a.givenUp(), cluster.nodes(s.cell().nodes()))
        : judgement;
  }

  private Judging.Observed observed(
      Workload.LaunchRequest request,
      AttemptState a,
      JobLog log,
      Workload.WorkloadReading reading,
      Provenance provenance) {
    JobEnd end = a.end().orElseThrow();
    Diagnosis diagnosis =
        diagnoser.diagnose(
            a.id(),
            end,
            log,
            Math.max(a.step(), reading.step()),
            reading.stepsTotal(),
            a.givenUp());
    boolean isUnmeasured =
        reading.measurement().isEmpty()
            && (a.givenUp().isPresent() || Judging.tellsNoCause(diagnosis));
    Optional<Diagnosis> replaced =
        isUnmeasured || diagnosis.failureClass().equals(KnownClasses.VANISHED)
            ? ReplacedFile.of(log.path(), directory.job(a.id()), end)
            : Optional.empty();
    Optional<Diagnosis> unmeasured =
        isUnmeasured && replaced.isEmpty() && a.givenUp().isEmpty()
            ? workload.unmeasured(
                request, log, end.state() == JobEnd.State.COMPLETED && end.exitCode() == 0)
            : replaced;
    return new Judging.Observed(
        request.trial().purpose(),
        end,
        reading,
        provenance.contradiction(reading.provenance()),
        ExitRecord.isClaimLost(directory.job(a.id())),
        unmeasured.orElse(diagnosis));
  }

  /**
   * Adds to an implausible gain the lines that the run's log contains and the baseline's logs do
   * not.
   */
  private Judgement believed(SweepState s, AttemptState a, Judgement judgement) {
    return ImplausibleRun.of(s, s.trialOf(a.id()), judgement)
        .map(
            run ->
                run.judgement(
                    LogForms.of(unread(s, List.of(a)), Set.of(a.jobName()))
                        .notIn(baselineForms(s, run.baseline(), Set.of()), MOST_UNLIKE)))
        .orElse(judgement);
  }

  /** How the logs of a profile that may win differ from the baseline's. */
  private Optional<Event> unlikeLogs(
      SweepState s, List<AttemptState> measured, AttemptState a, Judgement judgement) {
    return FreshLogs.of(s, measured, a, judgement)
        .flatMap(
            logs -> {
              LogForms fresh = LogForms.of(unread(s, logs.fresh()), logs.ownWords());
              LogForms baseline = baselineForms(s, logs.baseline(), logs.ownWords());
              return logs.finding(
                  fresh.notIn(baseline, MOST_UNLIKE), baseline.notIn(fresh, MOST_UNLIKE));
            })
        .map(Event.FindingMade::new);
  }

  private LogForms baselineForms(SweepState s, List<AttemptState> baseline, Set<String> own) {
    return LogForms.of(unread(s, baseline.stream().limit(BASELINE_LOGS).toList()), own);
  }

  private List<JobLog> unread(SweepState s, List<AttemptState> attempts) {
    return attempts.stream().map(a -> unread(s, a)).toList();
  }

  /** The attempt's log from its start, for a new listener. */
  private JobLog unread(SweepState s, AttemptState a) {
    Workload.LaunchRequest request = directory.request(s, a.id());
    return new JobLog(() -> workload.logs(request, a.job(), directory.job(a.id()).log()));
  }

  private static List<AttemptState> ended(SweepState s) {
    return s.open().values().stream()
        .flatMap(t -> t.attempts().stream())
        .filter(a -> a.end().isPresent() && a.judgement().isEmpty())
        .toList();
  }

  private JobHandle handle(AttemptState a) {
    return directory.handle(a);
  }
}
