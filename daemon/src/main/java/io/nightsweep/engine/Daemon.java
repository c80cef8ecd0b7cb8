package io.nightsweep.engine;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Confirming;
import io.nightsweep.chat.Chat;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.journal.OwnerLock;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives all unfinished sweeps of one state directory, several at once if their nodes are disjoint.
 * Each state directory has at most one daemon.
 */
public final class Daemon implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Daemon.class);
  private static final Duration WHILE_PEOPLE_ARE_TOLD = Duration.ofSeconds(1);
  private static final Duration WHILE_HELD = Duration.ofSeconds(1);
  private static final Duration NEWS = Duration.ofDays(1);

  private static final String NO_PAGE = "this daemon has no page; start it by 'nightsweep serve'";

  private static final String NO_SCHEDULE =
      "this daemon keeps no schedule; start it by 'nightsweep serve'";

  private final StateDirectory stateDirectory;
  private final HostedSweep.Surroundings surroundings;
  private final InstantSource clock;
  private final OwnerLock lock;
  private final Confirming confirming;
  private final Instant since;
  private final TickScheduler ticks = new TickScheduler(this::tick);
  private final Duration patienceAtStop;
  private final DrivenSweeps sweeps;
  private final SharedNights nights;
  private final Map<String, String> broken = new ConcurrentSkipListMap<>();
  private final Set<String> brokenNews = new ConcurrentSkipListSet<>();
  private final RequestDesk requests;
  private final Alarms alarms;
  private volatile Chat chat = Chat.none("the daemon is starting");
  private volatile Instant lastBusy;

  private Daemon(StateDirectory stateDirectory, Parts parts, InstantSource clock, OwnerLock lock) {
    this.stateDirectory = stateDirectory;
    this.clock = clock;
    this.lock = lock;
    patienceAtStop = parts.patience().looksAtStop();
    sweeps = new DrivenSweeps(parts.patience().start());
    surroundings =
        new HostedSweep.Surroundings(
            stateDirectory,
            parts,
            new Event.DaemonStarted(
                Version.current(), lock.owner().host(), ProcessHandle.current().pid()),
            clock);
    requests = new RequestDesk(surroundings, sweeps, broken, ticks);
    nights = new SharedNights(stateDirectory);
    confirming =
        new Confirming(
            new AskedFor(stateDirectory.root()), parts.commands(), InstantSource.system());
    alarms = new Alarms(text -> announce(text, () -> {}), clock);
    since = clock.instant();
    lastBusy = since;
  }

  /**
   * Takes the state directory and resumes its unfinished sweeps by replaying their journals.
   *
   * @throws io.nightsweep.journal.OwnedElsewhereException if another daemon owns it
   */
  public static Daemon open(StateDirectory stateDirectory, Parts parts, InstantSource clock)
      throws IOException {
    return open(stateDirectory, parts, clock, clock);
  }

  /**
   * @param clock the time of day, shared with the chat server
   * @param sweepsClock the clock for a sweep's silences, waits and deadlines
   */
  public static Daemon open(
      StateDirectory stateDirectory, Parts parts, InstantSource clock, InstantSource sweepsClock)
      throws IOException {
    stateDirectory.create();
    stateDirectory.checkOwners();
    Daemon daemon =
        new Daemon(stateDirectory, parts, sweepsClock, OwnerLock.acquire(stateDirectory.owner()));
    // The chat comes first: finished sweeps are resumed only if somebody has to be notified.
    daemon.chat =
        parts.chat(
            new DaemonSweeps(daemon.sweeps, stateDirectory, daemon::handle, daemon.confirming),
            stateDirectory,
            clock);
    daemon.resumeAll();
    daemon.chat.listen();
    return daemon;
  }

  private void resumeAll() throws IOException {
    List<HostedSweep> resumed = new ArrayList<>();
    for (SweepDirectory directory : stateDirectory.all()) {
      try {
        HostedSweep.resume(directory, this::isToBeTold, surroundings).ifPresent(resumed::add);
      } catch (IOException | RuntimeException | VirtualMachineError e) {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        log.error("sweep {} could not be continued: {}", directory.id(), why);
        broken.put(directory.id(), why);
        if (isNews(directory)) {
          brokenNews.add(directory.id());
        }
      }
    }
    // All sweeps are added before the first tick of any, since one of them may have the turn of a
    // shared night.
    resumed.forEach(sweeps::add);
    resumed.forEach(sweep -> ticks.start(sweep.id()));
  }

  /**
   * Whether people still have to be notified of the sweep's end; after more than a day they are
   * not.
   */
  private boolean isToBeTold(SweepState finished) {
    return chat.isOn()
        && finished.lastEventAt().isAfter(clock.instant().minus(NEWS))
        && finished.notices().values().stream().anyMatch(NoticeState::isPending);
  }

  /**
   * Whether people are still notified of the broken sweep: not by every later daemon if they have
   * not repaired it within a day.
   */
  private boolean isNews(SweepDirectory broken) {
    try {
      return Files.getLastModifiedTime(broken.journal())
          .toInstant()
          .isAfter(clock.instant().minus(NEWS));
    } catch (IOException e) {
      return true;
    }
  }

  /** Answers a request; never throws for input that a client can send. */
  public Reply handle(Request request) throws InterruptedException {
    try {
      return switch (request) {
        case Request.Ping r ->
            new Reply.Pong(
                Version.current(),
                Optional.of(Version.build()),
                ProcessHandle.current().pid(),
                since);
        case Request.Start r -> requests.start(r);
        case Request.Tell r ->
            tell(r)
                .<Reply>map(why -> new Reply.Refused(Phrases.EN.text(why)))
                .orElseGet(Reply.Accepted::new);
        case Request.Sweeps r ->
            new Reply.Hosting(hosting(), new TreeMap<>(broken), chat.describe());
        case Request.OpenPage r -> new Reply.Refused(NO_PAGE);
        case Request.ClosePage r -> new Reply.Refused(NO_PAGE);
        case Request.Schedule r -> new Reply.Refused(NO_SCHEDULE);
        case Request.Unschedule r -> new Reply.Refused(NO_SCHEDULE);
      };
    } catch (IOException e) {
      return new Reply.Refused(Phrases.EN.text(unrecorded(request, e)));
    }
  }

  /** Passes a command to its sweep, or says why not. */
  public Optional<Statement> tell(Request.Tell request) throws InterruptedException {
    try {
      return requests.tell(request);
    } catch (IOException e) {
      return Optional.of(unrecorded(request, e));
    }
  }

  private Statement unrecorded(Request request, IOException e) {
    log.error("{} was refused", request.getClass().getSimpleName(), e);
    return Statement.phrase("refusal-disk", String.valueOf(e.getMessage()), stateDirectory.root());
  }

  /** One tick of one sweep; called by one thread at a time per sweep. */
  private Optional<Duration> tick(String id) throws InterruptedException {
    Optional<HostedSweep> driven = sweeps.find(id);
    if (driven.isEmpty()) {
      return Optional.empty();
    }
    HostedSweep sweep = driven.get();
    if (sweep.isRemoved()) {
      return abandon(sweep);
    }
    Duration next =
        sweep.tick(
            () ->
                nights
                    .look(sweep, sweeps.all(), clock.instant())
                    .ifPresent(took -> ticks.soon(took.id())));
    if (!sweep.isDone()) {
      return Optional.of(next);
    }
    if (sweep.hasReportPending() || (chat.isOn() && sweep.hasNoticesPending())) {
      return Optional.of(WHILE_PEOPLE_ARE_TOLD);
    }
    Optional<DrivenSweeps.Hold> hold = sweeps.tryHold(id);
    if (hold.isEmpty()) {
      return Optional.of(next);
    }
    try (DrivenSweeps.Hold held = hold.get()) {
      // The sweep stays if a person has requested a validation in the meantime.
      if (!sweep.isDone()) {
        return Optional.of(next);
      }
      lastBusy = clock.instant();
      held.drop();
      log.info("sweep {} has finished", id);
      sweep.close();
    } catch (IOException e) {
      log.warn("{}: {}", id, e.getMessage());
    }
    return Optional.empty();
  }

  /**
   * Drops a sweep with a removed folder: nobody can reach it, and its results could not be stored.
   */
  private Optional<Duration> abandon(HostedSweep sweep) throws InterruptedException {
    Optional<DrivenSweeps.Hold> hold = sweeps.tryHold(sweep.id());
    if (hold.isEmpty()) {
      return Optional.of(WHILE_HELD);
    }
    try (DrivenSweeps.Hold held = hold.get()) {
      log.error(
          "the folder of sweep {} was removed; its jobs are cancelled, and the daemon drives it no"
              + " longer",
          sweep.id());
      sweep.cancelJobs();
      held.drop();
      sweep.close();
    } catch (ClusterUnreachableException e) {
      return Optional.of(WHILE_HELD);
    } catch (IOException e) {
      log.warn("{}: {}", sweep.id(), e.getMessage());
    }
    return Optional.empty();
  }

  /** The present state of a sweep that this daemon drives; never waits for a tick. */
  public Optional<SweepState> state(String sweep) {
    return sweeps.find(sweep).map(HostedSweep::state);
  }

  /**
   * The steps of a running job from its last reading; empty if this daemon does not drive its
   * sweep.
   */
  public List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
    return sweeps.find(sweep).map(s -> s.shown(attempt)).orElse(List.of());
  }

  /** Requests from assistants, with people's answers to them. */
  public Confirming confirming() {
    return confirming;
  }

  /** The daemon's own information about each sweep that it drives. */
  public List<Reply.Hosting.Sweep> hosting() {
    return sweeps.all().stream().map(HostedSweep::describe).toList();
  }

  /** The sweeps with a tick that has run for longer than {@code limit} without ending. */
  public List<String> blocked(Duration limit) {
    return ticks.blocked(limit);
  }

  /**
   * Notifies people of the daemon's troubles; to be called every few seconds.
   *
   * @param longLook a tick that takes longer is reported
   */
  public void alarm(Duration longLook) {
    Map<String, Alarms.Alarm> troubles = new TreeMap<>();
    for (String id : brokenNews) {
      troubles.put("broken " + id, Alarms.Alarm.notDriven(id, String.valueOf(broken.get(id))));
    }
    for (String id : ticks.blocked(longLook)) {
      troubles.put("blocked " + id, Alarms.Alarm.longLook(id, longLook));
    }
    for (Reply.Hosting.Sweep sweep : hosting()) {
      sweep
          .storageFailure()
          .ifPresent(
              error ->
                  troubles.put(
                      "journal " + sweep.id(), Alarms.Alarm.unwritable(sweep.id(), error)));
    }
    alarms.look(troubles);
  }

  /** Sends people a message that concerns no sweep; {@code told} is called after delivery. */
  public void announce(String text, Runnable told) {
    chat.announce(text, told);
  }

  /** Whether an announcement has not yet been delivered. */
  public boolean isAnnouncing() {
    return chat.isAnnouncing();
  }

  /** The time since a sweep was last driven; zero while one is driven. */
  public Duration idleFor() {
    return sweeps.isIdle() ? Duration.between(lastBusy, clock.instant()) : Duration.ZERO;
  }

  /**
   * Refuses requests that would have a sweep driven, unless a sweep is driven or such a request has
   * just begun.
   *
   * @return whether it refuses, so that the daemon can end without losing a start
   */
  public boolean refuseIfIdle() {
    return sweeps.closeIfIdle();
  }

  /** Ends the daemon; all jobs keep running and every journal stays complete. */
  public void close(String reason) throws IOException {
    sweeps.close();
    chat.close();
    ticks.stop(patienceAtStop);
    for (HostedSweep sweep : sweeps.all()) {
      sweep.end(reason);
    }
    sweeps.clear();
    lock.close();
  }

  @Override
  public void close() throws IOException {
    close("closed");
  }
}
