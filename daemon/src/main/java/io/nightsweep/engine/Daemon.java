package io.nightsweep.engine;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Confirming;
import io.nightsweep.chat.Chat;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.OwnerLock;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives all unfinished sweeps of one state directory, several at once where their nodes are
 * disjoint. There is one daemon to a state directory.
 */
public final class Daemon implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Daemon.class);
  private static final Duration WHILE_PEOPLE_ARE_TOLD = Duration.ofSeconds(1);
  private static final Duration PATIENCE_AT_STOP = Duration.ofSeconds(8);
  private static final Duration NEWS = Duration.ofDays(1);

  private static final String NO_PAGE = "this daemon has no page; start it by 'nightsweep serve'";

  private static final String NO_SCHEDULE =
      "this daemon keeps no schedule; start it by 'nightsweep serve'";

  private final StateDirectory stateDirectory;
  private final Parts parts;
  private final InstantSource sweepsClock;
  private final OwnerLock lock;
  private final Confirming confirming;
  private final Instant since;
  private final TickScheduler ticks = new TickScheduler(this::tick);
  private final Map<String, HostedSweep> sweeps = new ConcurrentSkipListMap<>();
  private final SharedNights nights;
  private final Map<String, String> broken = new ConcurrentSkipListMap<>();
  private final Set<String> brokenNews = new ConcurrentSkipListSet<>();
  private final Alarms alarms;
  private volatile Chat chat = Chat.none("the daemon is starting");
  private Instant lastBusy;

  private Daemon(
      StateDirectory stateDirectory, Parts parts, InstantSource sweepsClock, OwnerLock lock) {
    this.stateDirectory = stateDirectory;
    this.parts = parts;
    this.sweepsClock = sweepsClock;
    this.lock = lock;
    nights = new SharedNights(stateDirectory);
    confirming =
        new Confirming(
            new AskedFor(stateDirectory.root()), parts.commands(), InstantSource.system());
    alarms = new Alarms(text -> announce(text, () -> {}), sweepsClock);
    since = sweepsClock.instant();
    lastBusy = sweepsClock.instant();
  }

  /**
   * Takes the state directory, and takes up its unfinished sweeps by replaying their journals.
   *
   * @throws io.nightsweep.journal.OwnedElsewhereException where another daemon has it
   */
  public static Daemon open(StateDirectory stateDirectory, Parts parts, InstantSource clock)
      throws IOException {
    return open(stateDirectory, parts, clock, clock);
  }

  /**
   * @param clock the time of day, as the chat's server tells it too
   * @param sweepsClock what a sweep's silences, waits and deadlines are measured by
   */
  public static Daemon open(
      StateDirectory stateDirectory, Parts parts, InstantSource clock, InstantSource sweepsClock)
      throws IOException {
    stateDirectory.create();
    stateDirectory.checkOwners();
    Daemon daemon =
        new Daemon(stateDirectory, parts, sweepsClock, OwnerLock.acquire(stateDirectory.owner()));
    // Before the sweeps: those that have finished are taken up only where somebody is to be told.
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
        HostedSweep.resume(
                directory, false, self(), chat.isOn(), parts, stateDirectory, sweepsClock)
            .ifPresent(resumed::add);
      } catch (IOException | RuntimeException | VirtualMachineError e) {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        log.error("sweep {} was not taken up: {}", directory.id(), why);
        broken.put(directory.id(), why);
        if (isNews(directory)) {
          brokenNews.add(directory.id());
        }
      }
    }
    // All are known before the first look of any: one of them may have the turn of a shared night.
    resumed.forEach(sweep -> sweeps.put(sweep.id(), sweep));
    resumed.forEach(this::drive);
  }

  /** Who did not mend it within a day is not told of it by each daemon that follows. */
  private boolean isNews(SweepDirectory broken) {
    try {
      return Files.getLastModifiedTime(broken.journal())
          .toInstant()
          .isAfter(sweepsClock.instant().minus(NEWS));
    } catch (IOException e) {
      return true;
    }
  }

  private void host(HostedSweep sweep) {
    sweeps.put(sweep.id(), sweep);
    drive(sweep);
  }

  private void drive(HostedSweep sweep) {
    log.info("driving sweep {} on {}", sweep.id(), sweep.state().cell().nodes());
    ticks.start(sweep.id());
  }

  /** Answers a request; never throws for what a client can send. */
  public Reply handle(Request request) throws InterruptedException {
    try {
      return switch (request) {
        case Request.Ping r ->
            new Reply.Pong(
                Version.current(),
                Optional.of(Version.build()),
                ProcessHandle.current().pid(),
                since);
        case Request.Start r -> start(r);
        case Request.Tell r -> tell(r);
        case Request.Sweeps r ->
            new Reply.Hosting(hosting(), new TreeMap<>(broken), chat.describe());
        case Request.OpenPage r -> new Reply.Refused(NO_PAGE);
        case Request.ClosePage r -> new Reply.Refused(NO_PAGE);
        case Request.Schedule r -> new Reply.Refused(NO_SCHEDULE);
        case Request.Unschedule r -> new Reply.Refused(NO_SCHEDULE);
      };
    } catch (IOException e) {
      log.error("{} was refused", request.getClass().getSimpleName(), e);
      return new Reply.Refused(
          "it could not be recorded ("
              + e.getMessage()
              + "), so nothing was done; look at the disk of "
              + stateDirectory.root());
    }
  }

  private synchronized Reply start(Request.Start request) throws IOException {
    Optional<Reply> overlap =
        overlap(
            "",
            request.origin().night(),
            request.origin().cluster(),
            request.spec().cell().nodes());
    if (overlap.isPresent()) {
      return overlap.get();
    }
    SweepDirectory directory = newDirectory(request.name());
    try {
      OwnFile.write(directory.sweepFile(), request.sweepFile().getBytes(StandardCharsets.UTF_8));
      host(
          HostedSweep.start(
              directory,
              request.origin(),
              request.spec(),
              new SecureRandom().nextLong(),
              self(),
              parts,
              stateDirectory,
              sweepsClock));
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      removeUnstarted(directory);
      throw e;
    }
    return new Reply.Started(directory.id());
  }

  /**
   * Removes the directory of a start that failed before its first event, for instance on a full
   * disk.
   */
  private static void removeUnstarted(SweepDirectory directory) {
    try (Stream<Path> files = Files.walk(directory.root())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      log.warn(
          "what is left of {}, which did not start, stays: {}", directory.id(), e.getMessage());
    }
  }

  private SweepDirectory newDirectory(String name) throws IOException {
    String clean = name.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    for (int n = 1; ; n++) {
      SweepDirectory directory = stateDirectory.sweep(n == 1 ? clean : clean + "-" + n);
      try {
        Files.createDirectory(directory.root());
        return directory;
      } catch (FileAlreadyExistsException e) {
        // Taken by an earlier sweep: the next number.
      }
    }
  }

  /** What pins one of the nodes; sweeps of one night take turns on nodes that all of them pin. */
  private Optional<Reply> overlap(
      String except, Optional<String> night, ClusterChoice cluster, List<String> nodes) {
    for (HostedSweep other : sweeps.values()) {
      List<String> shared = other.shared(cluster, nodes);
      boolean takesTurns =
          night.isPresent()
              && other.state().night().map(SharedNight::name).equals(night)
              && Set.copyOf(other.state().cell().nodes()).equals(Set.copyOf(nodes));
      if (!other.id().equals(except) && !other.isDone() && !shared.isEmpty() && !takesTurns) {
        return Optional.of(
            new Reply.Refused(
                "sweep "
                    + other.id()
                    + " has pinned "
                    + String.join(", ", shared)
                    + "; wait for it, end it with 'nightsweep stop --sweep "
                    + other.id()
                    + "', or choose other nodes"));
      }
    }
    return Optional.empty();
  }

  /** What pins nodes waits for its turn; all else waits for the sweep that it is told to alone. */
  private Reply tell(Request.Tell request) throws IOException, InterruptedException {
    boolean pins =
        request.command() instanceof Command.Validate
            || (request.command() instanceof Command.Resume r && r.nodelist().isPresent());
    if (!pins) {
      return tellOne(request);
    }
    synchronized (this) {
      return tellOne(request);
    }
  }

  private Reply tellOne(Request.Tell request) throws IOException, InterruptedException {
    HostedSweep sweep = sweeps.get(request.sweep());
    if (sweep == null && request.command() instanceof Command.Validate) {
      return validate(request);
    }
    if (sweep == null) {
      String why = broken.get(request.sweep());
      return new Reply.Refused(
          why == null
              ? "no unfinished sweep " + request.sweep()
              : "sweep " + request.sweep() + " could not be taken up: " + why);
    }
    Optional<Reply> refusal =
        Admission.refusal(sweep.state(), request.command(), request.origin().door())
            .<Reply>map(Reply.Refused::new);
    if (refusal.isEmpty()
        && request.command() instanceof Command.Resume resume
        && resume.nodelist().isPresent()) {
      refusal = refusalToMove(sweep, resume.nodelist().get());
    }
    if (refusal.isEmpty() && request.command() instanceof Command.Validate) {
      refusal = pinnedByAnother(sweep);
    }
    if (refusal.isPresent()) {
      return refusal.get();
    }
    try {
      // What held a moment ago need not hold once a look has ended.
      refusal = sweep.admit(request.command(), request.origin()).map(Reply.Refused::new);
    } catch (SweepEngine.BusyException e) {
      return new Reply.Refused(e.getMessage() + "; nothing was done, so ask again");
    }
    ticks.soon(sweep.id());
    return refusal.orElseGet(Reply.Accepted::new);
  }

  /** A finished sweep is driven again for as long as its run on real data takes. */
  private Reply validate(Request.Tell request) throws IOException, InterruptedException {
    Optional<SweepDirectory> directory =
        stateDirectory.all().stream().filter(d -> d.id().equals(request.sweep())).findFirst();
    Optional<HostedSweep> taken =
        directory.isEmpty() || broken.containsKey(request.sweep())
            ? Optional.empty()
            : HostedSweep.resume(
                directory.get(), true, self(), chat.isOn(), parts, stateDirectory, sweepsClock);
    if (taken.isEmpty()) {
      return new Reply.Refused("no sweep " + request.sweep() + " that could be taken up");
    }
    HostedSweep sweep = taken.get();
    boolean isHosted = false;
    try {
      Optional<Reply> refusal = pinnedByAnother(sweep);
      if (refusal.isEmpty()) {
        refusal = sweep.admit(request.command(), request.origin()).map(Reply.Refused::new);
      }
      if (refusal.isEmpty()) {
        host(sweep);
        isHosted = true;
      }
      return refusal.orElseGet(Reply.Accepted::new);
    } finally {
      if (!isHosted) {
        sweep.close();
      }
    }
  }

  /** A run on real data waits for no turn. */
  private Optional<Reply> pinnedByAnother(HostedSweep sweep) {
    return overlap(
        sweep.id(), Optional.empty(), sweep.clusterChoice(), sweep.state().cell().nodes());
  }

  private Optional<Reply> refusalToMove(HostedSweep sweep, List<String> nodes)
      throws InterruptedException {
    if (sweep.state().night().isPresent()) {
      return Optional.of(
          new Reply.Refused(
              "it shares its nodes with other sweeps of the night "
                  + sweep.state().night().get().name()
                  + "; end it with 'nightsweep stop', and start it on its own"));
    }
    try {
      List<String> unknown = sweep.unknownNodes(nodes);
      if (nodes.isEmpty() || !unknown.isEmpty()) {
        return Optional.of(
            new Reply.Refused(
                "the cluster has no node " + (nodes.isEmpty() ? "" : String.join(", ", unknown))));
      }
    } catch (ClusterUnreachableException e) {
      return Optional.of(
          new Reply.Refused(
              "the cluster gives no answer, so the nodes cannot be checked: " + e.getMessage()));
    }
    return overlap(sweep.id(), Optional.empty(), sweep.clusterChoice(), nodes);
  }

  /** One tick of one sweep; called by one thread at a time per sweep. */
  private Optional<Duration> tick(String id) throws InterruptedException {
    HostedSweep sweep = sweeps.get(id);
    if (sweep == null) {
      return Optional.empty();
    }
    Duration next =
        sweep.tick(
            () ->
                nights
                    .look(sweep, sweeps.values(), sweepsClock.instant())
                    .ifPresent(took -> ticks.soon(took.id())));
    if (!sweep.isDone()) {
      return Optional.of(next);
    }
    if (sweep.hasReportPending() || (chat.isOn() && sweep.hasNoticesPending())) {
      return Optional.of(WHILE_PEOPLE_ARE_TOLD);
    }
    synchronized (this) {
      // Somebody may have asked for a validation meanwhile.
      if (!sweep.isDone()) {
        return Optional.of(next);
      }
      lastBusy = sweepsClock.instant();
      sweeps.remove(id);
      log.info("sweep {} has finished", id);
      try {
        sweep.close();
      } catch (IOException e) {
        log.warn("{}: {}", id, e.getMessage());
      }
    }
    return Optional.empty();
  }

  /** A sweep that is driven here, as it stands; never waits for a tick. */
  public Optional<SweepState> state(String sweep) {
    return Optional.ofNullable(sweeps.get(sweep)).map(HostedSweep::state);
  }

  /** The steps of a running job by its last reading; none where it does not run here. */
  public List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
    return Optional.ofNullable(sweeps.get(sweep)).map(s -> s.shown(attempt)).orElse(List.of());
  }

  /** What assistants asked for, and a person's answers to it. */
  public Confirming confirming() {
    return confirming;
  }

  /** What the daemon itself knows of each sweep that it drives. */
  public List<Reply.Hosting.Sweep> hosting() {
    return sweeps.values().stream().map(HostedSweep::describe).toList();
  }

  /**
   * The sweeps at which the daemon has looked for longer than {@code limit} without coming to an
   * end.
   */
  public List<String> blocked(Duration limit) {
    return ticks.blocked(limit);
  }

  /**
   * Tells people what the daemon suffers; to be called every few seconds.
   *
   * @param longLook a look that takes longer is told
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

  /** Tells people something of no sweep; {@code told} is called once they have it. */
  public void announce(String text, Runnable told) {
    chat.announce(text, told);
  }

  /** Whether people are still to be told of something that was announced. */
  public boolean isAnnouncing() {
    return chat.isAnnouncing();
  }

  /** How long no sweep was driven; zero while one is. */
  public synchronized Duration idleFor() {
    return sweeps.isEmpty() ? Duration.between(lastBusy, sweepsClock.instant()) : Duration.ZERO;
  }

  private Event.DaemonStarted self() {
    return new Event.DaemonStarted(
        Version.current(), lock.owner().host(), ProcessHandle.current().pid());
  }

  /** Leaves all jobs running and every journal whole. */
  public void close(String reason) throws IOException {
    chat.close();
    ticks.stop(PATIENCE_AT_STOP);
    for (HostedSweep sweep : sweeps.values()) {
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
