package io.nightsweep.sim;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.endpoint.LlmSeat;
import io.nightsweep.engine.Actor;
import io.nightsweep.engine.EvidenceReader;
import io.nightsweep.engine.LlmDesk;
import io.nightsweep.engine.LlmStore;
import io.nightsweep.engine.Observer;
import io.nightsweep.engine.RemedySteps;
import io.nightsweep.engine.Settings;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.engine.SweepEngine;
import io.nightsweep.engine.TurnKeeper;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One whole sweep in virtual time, with the same engine and conductor as a real one. The seed
 * determines everything. A halt is answered with "resume" at once, up to a limit, unless the
 * simulated person says otherwise.
 */
public final class Night {
  private static final Duration TICK = Duration.ofSeconds(20);
  private static final int MOST_TICKS = 200_000;
  static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");

  private final String sweep;
  private final SweepSpec spec;
  private final long seed;
  private final Faults faults;
  private final VirtualClock clock;
  private final CrashingJournal journal;
  private final SimCluster cluster;
  private final SimWorkload workload;
  private EvidenceReader evidence = EvidenceReader.nothing();
  private Function<SweepState, Optional<Command>> person = s -> Optional.empty();
  private List<Event> known = List.of();
  private SweepDirectory directory = new SweepDirectory(Path.of("night"));
  private Optional<LlmSeat> llm = Optional.empty();
  private int crashes;
  private int resumes;

  public Night(SweepSpec spec, Surface surface, Faults faults, Duration typicalJob, long seed) {
    this(spec, surface, faults, Timing.of(typicalJob), seed);
  }

  public Night(SweepSpec spec, Surface surface, Faults faults, Timing timing, long seed) {
    this("night", new VirtualClock(NIGHTFALL), spec, surface, faults, timing, seed);
  }

  /** A sweep that shares its clock with others simulated beside it. */
  Night(
      String sweep,
      VirtualClock clock,
      SweepSpec spec,
      Surface surface,
      Faults faults,
      Timing timing,
      long seed) {
    this.sweep = sweep;
    this.clock = clock;
    this.spec = spec;
    this.seed = seed;
    this.faults = faults;
    SplittableRandom random = new SplittableRandom(seed);
    cluster = new SimCluster(clock, random.split(), faults, timing);
    workload = new SimWorkload(surface, cluster, sweep, NIGHTFALL, seed);
    journal = new CrashingJournal(random.split(), faults.rate(Faults.Kind.CRASH));
  }

  public record Result(
      SweepState state,
      List<Entry> entries,
      Duration elapsed,
      int jobs,
      int crashes,
      SimCluster cluster) {

    /** Node-hours of all jobs, failed ones included. */
    public double nodeHours() {
      return Hours.of(cluster.busy()) * state.cell().nodes().size();
    }
  }

  /** Sets what the night's profiled jobs show. */
  public Night reading(EvidenceReader reader) {
    evidence = reader;
    return this;
  }

  /** Sets a language model. */
  public Night advisedBy(LlmSeat seat) {
    llm = Optional.of(seat);
    return this;
  }

  /** Sets events known at the beginning, such as an inventory. */
  public Night after(List<Event> events) {
    known = events;
    return this;
  }

  /** Sets where the jobs' files are, such as the samples of their nodes; by default nowhere. */
  public Night in(SweepDirectory files) {
    directory = files;
    return this;
  }

  /** Sets a person's commands by the sweep's state; called after each tick. */
  public Night told(Function<SweepState, Optional<Command>> says) {
    person = says;
    return this;
  }

  public Result run() {
    try {
      return walk();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<List<Finding>> read(
      Workload of, Workload.LaunchRequest request, JobId job) {
    return request.trial().purpose() == Trial.Purpose.EVIDENCE
        ? evidence.begin(of, request, job)
        : CompletableFuture.completedFuture(List.of(workload.program(request)));
  }

  private Result walk() throws IOException, InterruptedException {
    NightWalk walk = begin();
    for (int tick = 0; tick < MOST_TICKS; tick++) {
      walk.look();
      if (walk.state().isDone()) {
        break;
      }
      clock.advanceTo(walk.nextLook());
    }
    return walk.result();
  }

  NightWalk begin() {
    journal.start(clock.instant(), new Event.SweepStarted(sweep, seed, spec));
    if (llm.isPresent()) {
      journal.start(clock.instant(), new Event.LlmAdmitted(llm.get().terms()));
    }
    for (Event event : known) {
      journal.start(clock.instant(), event);
    }
    return new NightWalk();
  }

  /** The night, one observation at a time; time passes between observations. */
  final class NightWalk implements TurnKeeper.Member {
    private SweepEngine engine = engine();

    /** Observes; starts the daemon again whenever it dies. */
    void look() throws IOException, InterruptedException {
      while (true) {
        try {
          engine.tick();
          answer();
          return;
        } catch (SimulatedCrash e) {
          crashed();
        }
      }
    }

    private void answer() throws IOException {
      Optional<Command> said = person.apply(engine.state());
      if (said.isPresent()) {
        engine.accept(said.get(), new Command.Origin(Command.Origin.Door.CLI, "a person"));
      } else if (engine.state().phase() instanceof Phase.Halted) {
        resumes++;
        Command answer =
            resumes <= 20
                ? new Command.Resume(Optional.empty(), Optional.empty())
                : new Command.Stop(Command.Stop.Mode.CANCEL);
        engine.accept(answer, new Command.Origin(Command.Origin.Door.DAEMON, "night"));
      }
    }

    private void crashed() {
      crashes++;
      engine = engine();
    }

    @Override
    public SweepState state() {
      return engine.state();
    }

    @Override
    public void record(List<Event> events) throws IOException {
      try {
        engine.record(events);
      } catch (SimulatedCrash e) {
        crashed();
        throw new IOException(e);
      }
    }

    /** The next change of a job or its next step; a waiting sweep is observed once per tick. */
    Instant nextLook() {
      Instant next = clock.instant().plus(TICK);
      boolean onlyWaitsForJobs =
          state().clusterOutage().isEmpty()
              && faults.areOfJobsAlone()
              && !isRemedyUnderWay(state());
      return onlyWaitsForJobs
          ? Stream.of(cluster.nextChange(), workload.nextStep())
              .flatMap(Optional::stream)
              .min(Instant::compareTo)
              .orElse(next)
          : next;
    }

    Result result() {
      return new Result(
          state(),
          journal.entries(),
          Duration.between(NIGHTFALL, clock.instant()),
          cluster.jobsQueued(),
          crashes,
          cluster);
    }
  }

  private static boolean isRemedyUnderWay(SweepState state) {
    return state.trials().values().stream()
        .filter(TrialState::isOpen)
        .flatMap(t -> t.lastAttempt().stream())
        .flatMap(a -> a.remedy().stream())
        .anyMatch(r -> r.ended().isEmpty());
  }

  private SweepEngine engine() {
    Cluster port = cluster;
    RemedySteps steps =
        (step, attempt, state) ->
            CompletableFuture.completedFuture(StepEnd.succeeded(Statement.phrase("simulated")));
    return new SweepEngine(
        SweepState.fold(journal.entries()),
        journal,
        new Observer(
            directory,
            port,
            workload,
            new SimDiagnoser(cluster, spec.playbook()),
            Settings.defaults(),
            this::read,
            new LlmDesk(
                llm.map(LlmSeat::model), LlmStore.none(), Redaction.byForm(), Runnable::run)),
        new Actor(directory, port, workload, steps),
        (seq, at, decision) -> {},
        clock);
  }
}
