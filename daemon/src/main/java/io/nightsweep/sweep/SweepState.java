package io.nightsweep.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PSortedMap;
import org.pcollections.PVector;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * All that is known of a sweep: the fold of its events and nothing else.
 *
 * <p>Immutable. An event that does not fit the state it meets (an attempt of an unknown trial, a
 * second start) is an {@link IllegalStateException}: the journal is damaged or of another sweep.
 *
 * @param lastEventAt of a finished sweep, when it finished
 * @param open of the trials, those without a disposition
 */
public record SweepState(
    long seq,
    String sweep,
    long seed,
    Optional<SweepSpec> startedSpec,
    Optional<Instant> startedAt,
    Instant lastEventAt,
    Phase phase,
    PVector<WaveState> waves,
    PMap<String, Profile> profiles,
    PVector<String> profileOrder,
    PMap<String, Event.ProfileDropped> dropped,
    PSortedMap<TrialId, TrialState> trials,
    PSortedMap<TrialId, TrialState> open,
    int attemptsIntended,
    Optional<Outage> clusterOutage,
    Optional<String> storageFailure,
    PVector<Finding> findings,
    PVector<Fact> inventory,
    PMap<String, NoticeState> notices,
    PMap<String, Approval> approvals,
    PVector<CommandRecord> commands,
    PVector<Event.ConfirmationPlanned> confirmations,
    Optional<TrialId> repinnedAfter) {

  public record Outage(Instant since, String error) {}

  /**
   * A notice and how far its delivery has come.
   *
   * @param seq of the event that issued it: the order in which people are told
   * @param sending the part whose sending was begun last, from 1; beyond {@code delivered} its
   *     outcome is unknown
   * @param delivered the last part that is known delivered
   * @param last when that was, and what Telegram called it
   */
  public record NoticeState(
      Notice notice,
      long seq,
      Instant issuedAt,
      int sending,
      int delivered,
      Optional<Delivery> last,
      Optional<Event.NoticeSettled.Settlement> settled) {

    public record Delivery(Instant at, String receipt) {}

    public boolean isPending() {
      return settled.isEmpty();
    }

    NoticeState sending(int part) {
      return new NoticeState(notice, seq, issuedAt, part, delivered, last, settled);
    }

    NoticeState delivered(int part, Delivery delivery) {
      return new NoticeState(notice, seq, issuedAt, sending, part, Optional.of(delivery), settled);
    }

    NoticeState settled(Event.NoticeSettled.Settlement how) {
      return new NoticeState(notice, seq, issuedAt, sending, delivered, last, Optional.of(how));
    }
  }

  public record Approval(AttemptId attempt, int step, String question, Optional<Boolean> granted) {}

  public record CommandRecord(Instant at, Command command, Command.Origin origin) {}

  public static SweepState empty() {
    return new SweepState(
        0,
        "",
        0,
        Optional.empty(),
        Optional.empty(),
        Instant.EPOCH,
        new Phase.NotStarted(),
        TreePVector.empty(),
        HashTreePMap.empty(),
        TreePVector.empty(),
        HashTreePMap.empty(),
        TreePMap.empty(),
        TreePMap.empty(),
        0,
        Optional.empty(),
        Optional.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        Optional.empty());
  }

  public static SweepState fold(Iterable<Entry> entries) {
    SweepState state = empty();
    for (Entry entry : entries) {
      state = state.apply(entry);
    }
    return state;
  }

  public SweepState apply(Entry entry) {
    return Fold.apply(this, entry);
  }

  /** The spec; only of a sweep that has started. */
  public SweepSpec spec() {
    return startedSpec.orElseThrow(() -> new IllegalStateException("the sweep has not started"));
  }

  public Cell cell() {
    return spec().cell();
  }

  public Optional<Instant> deadline() {
    return startedAt.flatMap(start -> spec().budget().deadline(start));
  }

  public Optional<Integer> jobsLeft() {
    return spec().budget().jobs().map(jobs -> Math.max(0, jobs - attemptsIntended));
  }

  public Profile profile(String name) {
    Profile profile = profiles.get(name);
    if (profile == null) {
      throw new IllegalStateException("no profile '" + name + "' in this sweep");
    }
    return profile;
  }

  public Optional<ConfigTag> configTag(String name) {
    return spec().configTags().stream().filter(t -> t.name().equals(name)).findFirst();
  }

  public boolean isDropped(String profile) {
    return dropped.containsKey(profile);
  }

  public TrialState trial(TrialId id) {
    TrialState trial = trials.get(id);
    if (trial == null) {
      throw new IllegalStateException("no trial " + id + " in this sweep");
    }
    return trial;
  }

  public AttemptState attempt(AttemptId id) {
    return trial(id.trial()).attempts().get(id.attempt() - 1);
  }

  public Stream<AttemptState> attempts() {
    return trials.values().stream().flatMap(t -> t.attempts().stream());
  }

  public List<AttemptState> inFlight() {
    return open.values().stream()
        .flatMap(t -> t.attempts().stream())
        .filter(AttemptState::isInFlight)
        .toList();
  }

  /** Trials whose figures count: all, or those planned since the nodelist was changed. */
  public Stream<TrialState> countingTrials() {
    return trials.values().stream()
        .filter(t -> repinnedAfter.isEmpty() || t.trial().id().compareTo(repinnedAfter.get()) > 0);
  }

  public TrialId nextTrial() {
    return new TrialId(trials.isEmpty() ? 1 : trials.lastKey().number() + 1);
  }

  public Optional<WaveState> wave(String name) {
    return waves.stream().filter(w -> w.wave().name().equals(name)).findFirst();
  }

  public boolean isFinished() {
    return phase instanceof Phase.Finished;
  }

  /** Finished, and no run on real data is under way or asked for. */
  public boolean isDone() {
    return isFinished()
        && inFlight().isEmpty()
        && open.isEmpty()
        && validations().size() >= validationsAsked();
  }

  /** Runs on real data, which belong to no wave. */
  public List<TrialState> validations() {
    return trials.values().stream()
        .filter(t -> t.trial().purpose() == Trial.Purpose.VALIDATE)
        .toList();
  }

  public long validationsAsked() {
    return commands.stream().filter(c -> c.command() instanceof Command.Validate).count();
  }

  /**
   * The sweep as its report tells it: what was asked for afterwards changes none of its figures.
   */
  public SweepState withoutValidations() {
    List<TrialState> validations = validations();
    if (validations.isEmpty()) {
      return this;
    }
    Edit edit = edit();
    validations.forEach(t -> edit.withoutTrial(t.trial().id()));
    edit.attemptsIntended -= validations.stream().mapToInt(t -> t.attempts().size()).sum();
    edit.commands =
        TreePVector.from(
            commands.stream().filter(c -> !(c.command() instanceof Command.Validate)).toList());
    return edit.done();
  }

  /** How long ago the sweep started; zero before it has. */
  public Duration elapsed(Instant now) {
    return startedAt.map(start -> Duration.between(start, now)).orElse(Duration.ZERO);
  }

  SweepState withTrial(TrialId id, UnaryOperator<TrialState> change) {
    return edit().trial(change.apply(trial(id))).done();
  }

  Edit edit() {
    return new Edit(this);
  }

  /** A copy in the making; the records of Java have no "with" yet. */
  static final class Edit {
    private final SweepState from;
    private long seq;
    private Instant lastEventAt;
    private Phase phase;
    private PVector<WaveState> waves;
    private PMap<String, Profile> profiles;
    private PVector<String> profileOrder;
    private PMap<String, Event.ProfileDropped> dropped;
    private PSortedMap<TrialId, TrialState> trials;
    private PSortedMap<TrialId, TrialState> open;
    private int attemptsIntended;
    private Optional<Outage> clusterOutage;
    private Optional<String> storageFailure;
    private PVector<Finding> findings;
    private PVector<Fact> inventory;
    private PMap<String, NoticeState> notices;
    private PMap<String, Approval> approvals;
    private PVector<CommandRecord> commands;
    private PVector<Event.ConfirmationPlanned> confirmations;
    private Optional<SweepSpec> spec;
    private Optional<TrialId> repinnedAfter;

    Edit(SweepState from) {
      this.from = from;
      seq = from.seq;
      lastEventAt = from.lastEventAt;
      phase = from.phase;
      waves = from.waves;
      profiles = from.profiles;
      profileOrder = from.profileOrder;
      dropped = from.dropped;
      trials = from.trials;
      open = from.open;
      attemptsIntended = from.attemptsIntended;
      clusterOutage = from.clusterOutage;
      storageFailure = from.storageFailure;
      findings = from.findings;
      inventory = from.inventory;
      notices = from.notices;
      approvals = from.approvals;
      commands = from.commands;
      confirmations = from.confirmations;
      spec = from.startedSpec;
      repinnedAfter = from.repinnedAfter;
    }

    Edit at(long newSeq, Instant at) {
      seq = newSeq;
      lastEventAt = at;
      return this;
    }

    Edit phase(Phase value) {
      phase = value;
      return this;
    }

    Edit waves(PVector<WaveState> value) {
      waves = value;
      return this;
    }

    Edit profile(Profile value) {
      if (!profiles.containsKey(value.name())) {
        profileOrder = profileOrder.plus(value.name());
      }
      profiles = profiles.plus(value.name(), value);
      return this;
    }

    Edit dropped(PMap<String, Event.ProfileDropped> value) {
      dropped = value;
      return this;
    }

    Edit dropped(Event.ProfileDropped value) {
      dropped = dropped.plus(value.profile(), value);
      return this;
    }

    Edit trial(TrialState value) {
      TrialId id = value.trial().id();
      trials = trials.plus(id, value);
      open = value.isOpen() ? open.plus(id, value) : open.minus(id);
      return this;
    }

    Edit withoutTrial(TrialId id) {
      trials = trials.minus(id);
      open = open.minus(id);
      return this;
    }

    Edit attemptIntended() {
      attemptsIntended++;
      return this;
    }

    Edit clusterOutage(Optional<Outage> value) {
      clusterOutage = value;
      return this;
    }

    Edit storageFailure(Optional<String> value) {
      storageFailure = value;
      return this;
    }

    Edit inventory(List<Fact> value) {
      inventory = TreePVector.from(value);
      return this;
    }

    Edit finding(Finding value) {
      findings = findings.plus(value);
      return this;
    }

    Edit notice(String key, NoticeState value) {
      notices = notices.plus(key, value);
      return this;
    }

    Edit approval(String key, Approval value) {
      approvals = approvals.plus(key, value);
      return this;
    }

    Edit command(CommandRecord value) {
      commands = commands.plus(value);
      return this;
    }

    Edit confirmation(Event.ConfirmationPlanned value) {
      return confirmations(confirmations.plus(value));
    }

    Edit confirmations(PVector<Event.ConfirmationPlanned> value) {
      confirmations = value;
      return this;
    }

    Edit spec(SweepSpec value) {
      spec = Optional.of(value);
      return this;
    }

    Edit repinnedAfter(TrialId value) {
      repinnedAfter = Optional.of(value);
      return this;
    }

    SweepState done() {
      return new SweepState(
          seq,
          from.sweep,
          from.seed,
          spec,
          from.startedAt,
          lastEventAt,
          phase,
          waves,
          profiles,
          profileOrder,
          dropped,
          trials,
          open,
          attemptsIntended,
          clusterOutage,
          storageFailure,
          findings,
          inventory,
          notices,
          approvals,
          commands,
          confirmations,
          repinnedAfter);
    }
  }
}
