package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.conductor.Conductor;
import io.nightsweep.engine.Actor;
import io.nightsweep.engine.Observer;
import io.nightsweep.engine.Settings;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.engine.SweepEngine;
import io.nightsweep.journal.Journal;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A night of random faults, crashes and commands, through the real engine, with every step audited.
 */
final class RoughNight implements Journal {
  private static final int MOST_TICKS = 4_000;
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final Duration JOB = Duration.ofMinutes(7);
  private static final Path HOME = Path.of("night");

  private final SplittableRandom random;
  private double roughness;
  private final VirtualClock clock = new VirtualClock(NIGHTFALL);
  private final List<Entry> entries = new ArrayList<>();
  private final Invariants invariants = new Invariants();
  private final SimCluster cluster;
  private final RoughWorkload workload;
  private final List<CompletableFuture<StepEnd>> underWay = new ArrayList<>();
  private final List<AssertionError> broken = new ArrayList<>();
  private long ticks;

  RoughNight(long seed) {
    this(seed, 0);
  }

  /**
   * @param hostileFiles the share of attempts with files that their reader fails on, at full
   *     roughness
   */
  RoughNight(long seed, double hostileFiles) {
    random = new SplittableRandom(seed);
    roughness = random.nextInt(5) == 0 ? 0 : random.nextDouble() * random.nextDouble() * 0.6;
    cluster = new SimCluster(clock, random.split(), faults(roughness), JOB);
    cluster.onSubmit(s -> audit(() -> invariants.submitted(s, cluster.live(s.jobName()))));
    workload = new RoughWorkload(seed, roughness, hostileFiles, RoughSpecs.CLASSES);
    start(seed);
  }

  /** Everything that can fail in a cluster, in fixed proportions. */
  private static Faults faults(double roughness) {
    return Faults.none()
        .with(Faults.Kind.JOB_HANGS, 0.2 * roughness)
        .with(Faults.Kind.JOB_ENDS_ODDLY, roughness)
        .with(Faults.Kind.JOB_VANISHES, 0.2 * roughness)
        .with(Faults.Kind.JOB_IS_CLAIMED_TWICE, 0.1 * roughness)
        .with(Faults.Kind.JOB_IS_UNLISTED, 0.2 * roughness)
        .with(Faults.Kind.UNREACHABLE, 0.2 * roughness)
        .with(Faults.Kind.OUTAGE, 0.02 * roughness)
        .with(Faults.Kind.ANSWER_LOST, 0.3 * roughness)
        .with(Faults.Kind.REFUSED, 0.3 * roughness);
  }

  private void start(long seed) {
    record(new Event.SweepStarted("rough", seed, RoughSpecs.any(random)));
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** Number of decide steps in the night. */
  long run() throws Exception {
    SweepEngine engine = engine();
    while (!engine.state().isFinished()) {
      assertThat(ticks++).as("a night ends").isLessThan(MOST_TICKS);
      invariants.timePasses();
      endSomeSteps();
      try {
        if (random.nextDouble() < 0.02 + 0.1 * roughness) {
          accept(engine, anyCommand());
        }
        engine.tick();
        assertThat(broken).as("invariants that the tick broke").isEmpty();
        assertThat(engine.state()).as("the audit follows the engine").isEqualTo(invariants.state());
        answer(engine);
      } catch (Crash e) {
        invariants.crashed();
        engine = engine();
        continue;
      }
      clock.advance(Duration.ofSeconds(random.nextInt(1, ticks > MOST_TICKS / 2 ? 1800 : 400)));
    }
    roughness = 0;
    engine.tick();
    assertThat(broken).as("invariants that the last tick broke").isEmpty();
    assertThat(Conductor.decide(engine.state(), clock.instant()))
        .as("a finished sweep rests")
        .isEmpty();
    replaysFromAnyPrefix();
    return invariants.steps() + ticks;
  }

  /** People answer a halt after some time, and may lose patience. */
  private void answer(SweepEngine engine) {
    boolean waits =
        engine.state().phase() instanceof Phase.Halted
            || engine.state().phase() instanceof Phase.Paused;
    if (ticks > MOST_TICKS / 2 && !(engine.state().phase() instanceof Phase.Stopping)) {
      accept(engine, new Command.Stop(Command.Stop.Mode.CANCEL));
    } else if (waits && random.nextInt(4) == 0) {
      accept(engine, new Command.Resume(Optional.empty(), Optional.empty()));
    }
    for (String question : engine.state().openQuestions().keySet()) {
      if (random.nextInt(3) == 0) {
        accept(
            engine,
            random.nextBoolean() ? new Command.Approve(question) : new Command.Deny(question));
      }
    }
  }

  private void accept(SweepEngine engine, Command command) {
    if (!engine.state().isFinished()) {
      try {
        engine.accept(command, origin());
      } catch (IOException e) {
        // The sender is told that the command had no effect.
      }
    }
  }

  private Command anyCommand() {
    return switch (random.nextInt(9)) {
      case 0, 1 -> new Command.Pause();
      case 2, 3 -> new Command.Resume(Optional.empty(), Optional.empty());
      case 4 ->
          new Command.Resume(
              Optional.of(random.nextBoolean() ? List.of("n3", "n4") : List.of("n1", "n2")),
              Optional.empty());
      case 5 -> new Command.Resume(Optional.empty(), Optional.of("p1"));
      case 6 -> new Command.SkipProfile("p" + random.nextInt(12));
      case 7 ->
          new Command.SetBudget(
              random.nextBoolean() ? Optional.of(random.nextInt(60)) : Optional.empty(),
              random.nextBoolean()
                  ? Optional.of(Duration.ofHours(random.nextInt(1, 20)))
                  : Optional.empty(),
              Optional.empty());
      default ->
          random.nextInt(8) == 0
              ? new Command.Stop(
                  random.nextBoolean() ? Command.Stop.Mode.DRAIN : Command.Stop.Mode.CANCEL)
              : new Command.Approve("t0001a1-0");
    };
  }

  private void replaysFromAnyPrefix() throws IOException {
    int cut = random.nextInt(1, entries.size() + 1);
    SweepState walked = SweepState.empty();
    SweepState read = SweepState.empty();
    JsonMapper json = Json.mapper();
    for (Entry entry : entries.subList(0, cut)) {
      walked = walked.apply(entry);
      Event again =
          json.readValue(json.writerFor(Event.class).writeValueAsBytes(entry.event()), Event.class);
      read = read.apply(new Entry(entry.seq(), entry.at(), again));
    }
    assertThat(read).as("replay of any prefix reaches the same state").isEqualTo(walked);
    assertThat(Conductor.decide(read, read.lastEventAt()))
        .as("and the same decisions")
        .isEqualTo(Conductor.decide(walked, walked.lastEventAt()));
  }

  private SweepEngine engine() {
    SweepDirectory directory = new SweepDirectory(HOME);
    // Running steps die with their daemon.
    underWay.clear();
    return new SweepEngine(
        SweepState.fold(entries),
        this,
        new Observer(directory, cluster, workload, workload, Settings.defaults()),
        new Actor(directory, cluster, workload, this::begin),
        (seq, at, decision) -> audit(() -> invariants.decided(at, decision)),
        clock);
  }

  /** A step takes some time and ends before a later tick. */
  private CompletableFuture<StepEnd> begin(
      Remedy.RemedyStep step, AttemptState attempt, SweepState state) {
    CompletableFuture<StepEnd> outcome = new CompletableFuture<>();
    underWay.add(outcome);
    endSomeSteps();
    return outcome;
  }

  private void endSomeSteps() {
    underWay.removeIf(
        step ->
            random.nextBoolean()
                && step.complete(
                    random.nextInt(3) > 0
                        ? StepEnd.succeeded(Statement.words("rough"))
                        : StepEnd.failed(Statement.words("rough"))));
  }

  @Override
  public List<Entry> append(Instant at, List<Event> events) throws IOException {
    boolean faultless = CrashingJournal.isFaultless(events);
    if (!faultless && chance(0.02)) {
      throw new IOException("no space left on device");
    }
    if (!faultless) {
      maybeCrash();
    }
    int before = entries.size();
    events.forEach(this::record);
    if (!faultless) {
      maybeCrash();
    }
    return List.copyOf(entries.subList(before, entries.size()));
  }

  private void record(Event event) {
    Entry entry = new Entry(entries.size() + 1L, clock.instant(), event);
    entries.add(entry);
    audit(() -> invariants.happened(entry));
  }

  /** The engine handles any error inside its tick as its own and continues; the night must fail. */
  private void audit(Runnable check) {
    try {
      check.run();
    } catch (AssertionError e) {
      broken.add(e);
      throw e;
    }
  }

  private void maybeCrash() {
    if (chance(0.05)) {
      throw new Crash();
    }
  }

  private boolean chance(double weight) {
    return random.nextDouble() < roughness * weight;
  }

  private static Command.Origin origin() {
    return new Command.Origin(Command.Origin.Door.CLI, "someone");
  }

  @Override
  public void close() {}

  /** The daemon dies here. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }
}
