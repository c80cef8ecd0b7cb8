package io.nightsweep.engine;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.endpoint.LlmSeat;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.Journal;
import io.nightsweep.journal.RedactingJournal;
import io.nightsweep.journal.Replay;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One sweep in a daemon: its engine with the parts around it. */
final class HostedSweep implements AutoCloseable, TurnKeeper.Member {
  private static final Duration REPORT_AGAIN = Duration.ofMinutes(1);
  private static final Logger log = LoggerFactory.getLogger(HostedSweep.class);

  private final SweepDirectory directory;
  private final SweepOrigin origin;
  private final MeteredCluster cluster;
  private final SweepEngine engine;
  private final ReportDesk reports;
  private final TickInterval interval;
  private final Patience patience;

  /**
   * What all sweeps of a daemon share.
   *
   * @param daemon the daemon's description in the journal
   */
  record Surroundings(
      StateDirectory state, Parts parts, Event.DaemonStarted daemon, InstantSource clock) {}

  private HostedSweep(
      SweepDirectory directory,
      SweepOrigin origin,
      SweepState state,
      Journal journal,
      Surroundings surroundings) {
    Parts parts = surroundings.parts();
    StateDirectory stateDirectory = surroundings.state();
    this.directory = directory;
    this.origin = origin;
    cluster = new MeteredCluster(parts.cluster(origin.cluster(), stateDirectory));
    Workload workload = parts.workload(state.spec().workload());
    patience = parts.patience();
    Settings settings = Settings.defaults();
    LlmDesk llm =
        new LlmDesk(
            state.llm().terms().flatMap(t -> parts.llm(stateDirectory)).map(LlmSeat::model),
            new LlmFiles(directory, stateDirectory),
            parts.redaction(),
            call -> Thread.ofVirtual().name("llm").start(call));
    Reporter reporter = parts.reporter();
    reports =
        new ReportDesk(
            directory,
            (of, told) -> {
              reporter.write(of, told);
              if (told.isFinished()) {
                llm.remember(told);
              }
            },
            REPORT_AGAIN);
    engine =
        new SweepEngine(
            state,
            new RedactingJournal(journal, parts.redaction()),
            new Observer(
                directory,
                cluster,
                workload,
                parts.diagnoser(state.spec()),
                settings,
                EvidenceReader.ofFiles(),
                llm),
            new Actor(
                directory,
                cluster,
                workload,
                parts.remedySteps(origin.cluster(), cluster, workload)),
            new FileDecisionLog(directory.decisions()),
            goingOnFrom(state.lastEventAt(), surroundings.clock()));
    interval =
        new TickInterval(
            parts.pace(origin.cluster()),
            new SplittableRandom(state.seed() ^ ProcessHandle.current().pid()));
  }

  /**
   * If the machine's clock was set back while no daemon ran, the sweep's own time continues from
   * its last event. Otherwise waits that had begun would last too long.
   */
  static InstantSource goingOnFrom(Instant lastEvent, InstantSource clock) {
    Duration ahead = Duration.between(clock.instant(), lastEvent);
    return ahead.isPositive() ? () -> clock.instant().plus(ahead) : clock;
  }

  /**
   * A new sweep; its directory exists and holds no journal.
   *
   * @throws SweepEngine.BusyException if required information cannot be read in time
   */
  static HostedSweep start(
      SweepDirectory directory,
      Request.Start request,
      long seed,
      Surroundings surroundings,
      Deadline deadline)
      throws IOException, InterruptedException {
    SweepOrigin origin = request.origin();
    SweepSpec spec = request.spec();
    Parts parts = surroundings.parts();
    List<Fact> facts =
        deadline
            .ask("facts of " + directory.id(), () -> facts(origin, spec, surroundings))
            .orElseThrow(() -> new SweepEngine.BusyException(Statement.phrase("busy-inherited")));
    origin.write(directory);
    Replay replay = new Replay();
    FileJournal journal = FileJournal.open(directory.journal(), replay);
    return closingOnFailure(
        journal,
        () -> {
          List<Event> events = new ArrayList<>();
          events.add(new Event.SweepStarted(directory.id(), seed, spec, Optional.of(origin.by())));
          events.add(surroundings.daemon());
          origin.night().ifPresent(night -> events.add(new Event.NightJoined(night)));
          events.add(new Event.InventoryTaken(facts));
          if (!request.knownGains().isEmpty()) {
            events.add(new Event.GainsKnown(request.knownGains()));
          }
          parts
              .llm(surroundings.state())
              .ifPresent(l -> events.add(new Event.LlmAdmitted(l.terms())));
          new RedactingJournal(journal, parts.redaction())
              .append(surroundings.clock().instant(), events)
              .forEach(replay);
          return new HostedSweep(directory, origin, replay.state(), journal, surroundings);
        });
  }

  private static List<Fact> facts(SweepOrigin origin, SweepSpec spec, Surroundings surroundings) {
    Parts parts = surroundings.parts();
    List<Fact> facts =
        new ArrayList<>(parts.cluster(origin.cluster(), surroundings.state()).hardware());
    facts.addAll(parts.workload(spec.workload()).inventory(spec));
    return facts;
  }

  /**
   * A sweep of an earlier daemon; empty if it never really started.
   *
   * @param isStillOfUse which finished sweeps are resumed too
   */
  static Optional<HostedSweep> resume(
      SweepDirectory directory, Predicate<SweepState> isStillOfUse, Surroundings surroundings)
      throws IOException {
    Replay replay = new Replay();
    FileJournal journal = FileJournal.open(directory.journal(), replay);
    journal.cut().ifPresent(cut -> log.warn("{}", cut.message()));
    SweepState state = replay.state();
    boolean isOver = state.isDone() && !isStillOfUse.test(state);
    if (state.phase() instanceof Phase.NotStarted || isOver) {
      journal.close();
      return Optional.empty();
    }
    return Optional.of(
        closingOnFailure(
            journal,
            () -> {
              HostedSweep sweep =
                  new HostedSweep(
                      directory, SweepOrigin.read(directory), state, journal, surroundings);
              sweep.engine.record(surroundings.daemon());
              return sweep;
            }));
  }

  private interface Opening {
    HostedSweep open() throws IOException;
  }

  private static HostedSweep closingOnFailure(Journal journal, Opening opening) throws IOException {
    try {
      return opening.open();
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      journal.close();
      throw e;
    }
  }

  String id() {
    return directory.id();
  }

  @Override
  public SweepState state() {
    return engine.state();
  }

  List<Measurement.MeasuredStep> shown(AttemptId attempt) {
    return engine.shown(attempt);
  }

  Reply.Hosting.Sweep describe() {
    return new Reply.Hosting.Sweep(
        id(),
        engine.storageFailure(),
        reports.failure(),
        cluster.lastLatency().toMillis(),
        engine.hasLooked(),
        engine.sinceGoodTick());
  }

  boolean isDone() {
    return state().isDone();
  }

  /** Whether the sweep's report has not been written yet. */
  boolean hasReportPending() {
    return !reports.isAtRest(state());
  }

  /** Whether a notice to people has not been delivered yet. */
  boolean hasNoticesPending() {
    return state().notices().values().stream().anyMatch(NoticeState::isPending);
  }

  /** Never waits long for a tick, so that the other sweeps of the night go on meanwhile. */
  @Override
  public void record(List<Event> events) throws IOException, InterruptedException {
    engine.recordSoon(events, Deadline.in(patience.command()));
  }

  /** Records the outcome of sending a message. It must not be lost, however long a tick takes. */
  void recordTold(List<Event> events) throws IOException {
    engine.record(events);
  }

  ClusterChoice clusterChoice() {
    return origin.cluster();
  }

  /** The given nodes that the cluster does not have. */
  List<String> unknownNodes(List<String> nodes)
      throws ClusterUnreachableException, InterruptedException {
    TreeSet<String> unknown = new TreeSet<>(nodes);
    cluster.nodes(List.of()).forEach(node -> unknown.remove(node.name()));
    return List.copyOf(unknown);
  }

  /** Accepts the command, or says why not. */
  Optional<Statement> admit(Command command, Command.Origin from, Deadline deadline)
      throws IOException, InterruptedException {
    return engine.admit(command, from, deadline);
  }

  boolean isLooking() {
    return engine.isLooking();
  }

  @Override
  public boolean isBusy() {
    return engine.isBusy(patience.longLook());
  }

  /**
   * Runs one tick and returns how long to wait before the next.
   *
   * @param turn passes on the turn of a shared night
   */
  Duration tick(SweepEngine.Following turn) throws InterruptedException {
    engine.tick();
    engine.afterwards(turn);
    reports.look(state());
    return interval.after(cluster.lastLatency(), engine.errorsInARow());
  }

  /** Whether the sweep's folder, which holds all its data, was removed. */
  boolean isRemoved() {
    return Files.notExists(directory.journal())
        && Files.exists(directory.root().resolveSibling("."));
  }

  void cancelJobs() throws ClusterUnreachableException, InterruptedException {
    for (AttemptState attempt : state().inFlight()) {
      if (attempt.job().isPresent()) {
        cluster.cancel(directory.handle(attempt));
      }
    }
  }

  /** Journals that the daemon ends; jobs keep running. */
  void end(String reason) throws IOException {
    reports.close();
    try {
      engine.end(reason, Deadline.in(patience.sweepAtStop()));
    } catch (IOException e) {
      log.warn("{}: {}", id(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    reports.close();
    engine.close();
  }
}
