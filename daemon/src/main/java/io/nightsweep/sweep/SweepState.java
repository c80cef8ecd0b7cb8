package io.nightsweep.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.pcollections.PMap;
import org.pcollections.PSortedMap;
import org.pcollections.PVector;

/**
 * All that is known about a sweep: the fold of its events.
 *
 * <p>Immutable. An event that does not fit the present state (an attempt of an unknown trial, a
 * second start) causes an {@link IllegalStateException}: the journal is damaged or belongs to
 * another sweep.
 *
 * @param lastEventAt for a finished sweep, when it finished
 */
public record SweepState(
    long seq,
    Instant lastEventAt,
    SweepStart start,
    Phase phase,
    Roster roster,
    SweepSchedule schedule,
    Known known,
    Talk talk) {

  public record ClusterOutage(Instant since, String error) {}

  /**
   * @param endsHalt whether a halted sweep goes on by it
   */
  public record CommandRecord(
      Instant at, Command command, Command.Origin origin, boolean endsHalt) {}

  public static SweepState empty() {
    return new SweepState(
        0,
        Instant.EPOCH,
        new SweepStart("", 0, Optional.empty(), Optional.empty(), Optional.empty()),
        new Phase.NotStarted(),
        Roster.empty(),
        SweepSchedule.of(List.of()),
        Known.nothing(),
        Talk.nothing());
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

  /** The spec; only for a sweep that has started. */
  public SweepSpec spec() {
    return startedSpec().orElseThrow(() -> new IllegalStateException("the sweep has not started"));
  }

  public Cell cell() {
    return spec().cell();
  }

  /** What the sweep may spend: its own budget, or its share of a shared night. */
  public Budget budget() {
    return night().flatMap(SharedNight::share).orElseGet(() -> spec().budget());
  }

  public Optional<Instant> deadline() {
    return startedAt().flatMap(start -> budget().deadline(start));
  }

  public Optional<Integer> jobsLeft() {
    return budget().jobs().map(jobs -> Math.max(0, jobs - jobsTaken()));
  }

  /** What the jobs have used so far: nodes times running time, including failed jobs. */
  public Duration nodeTime(Instant now) {
    int pinned = cell().nodes().size();
    return attempts().map(a -> a.nodeTime(pinned, now)).reduce(Duration.ZERO, Duration::plus);
  }

  /** How long jobs may still run, one after the other, before the node-hours are spent. */
  public Optional<Duration> runningTimeLeft(Instant now) {
    int nodes = cell().nodes().size();
    return budget()
        .runningTime(nodes)
        .map(all -> all.minus(nodeTime(now).dividedBy(nodes)))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  public Profile profile(String name) {
    Profile profile = roster.profiles().get(name);
    if (profile == null) {
      throw new IllegalStateException("no profile '" + name + "' in this sweep");
    }
    return profile;
  }

  public Optional<ConfigTag> configTag(String name) {
    return spec().configTags().stream().filter(t -> t.name().equals(name)).findFirst();
  }

  public boolean isDropped(String profile) {
    return roster.dropped().containsKey(profile);
  }

  /** Whether the profile left the sweep for this cause. */
  public boolean isDropped(String profile, Event.ProfileDropped.DropCause cause) {
    return Optional.ofNullable(dropped().get(profile)).filter(d -> d.cause() == cause).isPresent();
  }

  public TrialState trial(TrialId id) {
    return schedule.trial(id);
  }

  /** The state of the trial that the attempt is for. */
  public TrialState trial(AttemptId attempt) {
    return trial(attempt.trial());
  }

  /** The trial that the attempt is for. */
  public Trial trialOf(AttemptId attempt) {
    return trial(attempt).trial();
  }

  public AttemptState attempt(AttemptId id) {
    return trial(id).attempts().get(id.attempt() - 1);
  }

  public Stream<AttemptState> attempts() {
    return trials().values().stream().flatMap(t -> t.attempts().stream());
  }

  public List<AttemptState> inFlight() {
    return open().values().stream()
        .flatMap(t -> t.attempts().stream())
        .filter(AttemptState::isInFlight)
        .toList();
  }

  /** Trials with figures that count: all, or those planned since the nodelist was changed. */
  public Stream<TrialState> countingTrials() {
    return trials().values().stream()
        .filter(
            t -> repinnedAfter().isEmpty() || t.trial().id().compareTo(repinnedAfter().get()) > 0);
  }

  /** Whether the attempt is a short job ({@link SweepSpec#shortSteps}). */
  public boolean isShort(AttemptState attempt) {
    return spec().shortSteps(trialOf(attempt.id())).isPresent();
  }

  public TrialId nextTrial() {
    return new TrialId(trials().isEmpty() ? 1 : trials().lastKey().number() + 1);
  }

  public Optional<WaveState> wave(String name) {
    return waves().stream().filter(w -> w.wave().name().equals(name)).findFirst();
  }

  public boolean isFinished() {
    return phase instanceof Phase.Finished;
  }

  /** Whether the sweep is finished and no run on real data is requested or in progress. */
  public boolean isDone() {
    return isFinished()
        && inFlight().isEmpty()
        && open().isEmpty()
        && validations().size() >= validationsAsked();
  }

  /** Runs on real data, which belong to no wave. */
  public List<TrialState> validations() {
    return Stream.concat(schedule.setAside().stream(), validationsPlanned()).toList();
  }

  private Stream<TrialState> validationsPlanned() {
    return trials().values().stream().filter(t -> t.trial().purpose() == Trial.Purpose.VALIDATE);
  }

  public long validationsAsked() {
    return commands().stream().filter(c -> c.command() instanceof Command.Validate).count();
  }

  /**
   * The sweep without requests after its end, which must not change the figures in its report. The
   * runs on real data stay available as {@link #validations()}.
   */
  public SweepState withoutValidations() {
    List<TrialState> validations = validationsPlanned().toList();
    if (validations.isEmpty()) {
      return this;
    }
    SweepSchedule measured = schedule;
    for (TrialState validation : validations) {
      measured = measured.settingAside(validation);
    }
    return with(measured).with(talk.withoutValidations());
  }

  /** How long ago the sweep started; zero before it has. */
  public Duration elapsed(Instant now) {
    return startedAt().map(start -> Duration.between(start, now)).orElse(Duration.ZERO);
  }

  public String sweep() {
    return start.sweep();
  }

  public long seed() {
    return start.seed();
  }

  public Optional<SweepSpec> startedSpec() {
    return start.spec();
  }

  public Optional<Instant> startedAt() {
    return start.at();
  }

  public Optional<SharedNight> night() {
    return start.night();
  }

  /** The number of trials planned and jobs intended so far; it never decreases. */
  public long work() {
    return (long) trials().size() + schedule.attempts();
  }

  public PVector<WaveState> waves() {
    return schedule.waves();
  }

  public PMap<String, Profile> profiles() {
    return roster.profiles();
  }

  public PVector<String> profileOrder() {
    return roster.order();
  }

  public PMap<String, Event.ProfileDropped> dropped() {
    return roster.dropped();
  }

  public PSortedMap<TrialId, TrialState> trials() {
    return schedule.trials();
  }

  /** The trials without a disposition. */
  public PSortedMap<TrialId, TrialState> open() {
    return schedule.open();
  }

  /**
   * Jobs that count against the budget; jobs that the cluster refused took no time and do not
   * count.
   */
  public int jobsTaken() {
    long refused = attempts().filter(a -> a.isFailedAs(KnownClasses.SUBMISSION_REFUSED)).count();
    return schedule.attempts() - (int) refused;
  }

  public Optional<ClusterOutage> clusterOutage() {
    return known.outage();
  }

  public PVector<Finding> findings() {
    return known.findings();
  }

  public PVector<Fact> inventory() {
    return known.inventory();
  }

  /** Checks of the nodes, in their order. */
  public PVector<Event.NodesChecked> nodeChecks() {
    return known.nodeChecks();
  }

  /** What slowed nodes down while attempts ran. */
  public PVector<Event.NodeStrained> strains() {
    return known.strains();
  }

  /**
   * Gains beyond the policy's plausibility limit that earlier sweeps of the same program have
   * shown, as log-gains by the profile's hash.
   */
  public SortedMap<String, Double> knownGains() {
    return known.gains();
  }

  public PMap<String, NoticeState> notices() {
    return talk.notices();
  }

  public PMap<String, Question> questions() {
    return talk.questions();
  }

  /**
   * The open questions by name; empty once the sweep has finished, since answers no longer matter
   * then.
   */
  public SortedMap<String, Question> openQuestions() {
    SortedMap<String, Question> open = new TreeMap<>(questions());
    open.values().removeIf(q -> isFinished() || !q.isOpen());
    return open;
  }

  public PVector<CommandRecord> commands() {
    return talk.commands();
  }

  public LlmTalk llm() {
    return talk.llm();
  }

  public PVector<Event.ConfirmationPlanned> confirmations() {
    return schedule.confirmations();
  }

  public Optional<TrialId> repinnedAfter() {
    return schedule.repinnedAfter();
  }

  SweepState at(long newSeq, Instant at) {
    return new SweepState(newSeq, at, start, phase, roster, schedule, known, talk);
  }

  SweepState with(SweepStart value) {
    return new SweepState(seq, lastEventAt, value, phase, roster, schedule, known, talk);
  }

  SweepState with(Phase value) {
    return new SweepState(seq, lastEventAt, start, value, roster, schedule, known, talk);
  }

  SweepState with(Roster value) {
    return new SweepState(seq, lastEventAt, start, phase, value, schedule, known, talk);
  }

  SweepState with(SweepSchedule value) {
    return new SweepState(seq, lastEventAt, start, phase, roster, value, known, talk);
  }

  SweepState with(Known value) {
    return new SweepState(seq, lastEventAt, start, phase, roster, schedule, value, talk);
  }

  SweepState with(Talk value) {
    return new SweepState(seq, lastEventAt, start, phase, roster, schedule, known, value);
  }
}
