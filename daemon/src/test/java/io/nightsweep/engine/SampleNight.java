package io.nightsweep.engine;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.PerTask;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.journal.Journal;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Wave;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.Sample;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A sweep in virtual time by the real engine, triage and remedies. The jobs of one profile end as a
 * sample says for a number of times, and then measure. Only the cluster and the commands that touch
 * nodes are stand-ins; those commands are real programs that check their arguments.
 */
final class SampleNight {
  static final String CANDIDATE = "candidate";
  static final String NODE = "n1";

  private static final Path STANDINS =
      Path.of("src/test/resources/recovery/standins").toAbsolutePath();
  private static final Pattern FLAG = Pattern.compile("--xla_[A-Za-z0-9_]+");
  private static final Pattern STEP = Pattern.compile("completed step: (\\d+)");
  private static final Duration TICK = Duration.ofSeconds(20);

  /** The step time of a job that measures. */
  static final double STEP_SECONDS = 50;

  private static final int MOST_TICKS = 20_000;

  private final Path root;
  private final Sample sample;
  private final Optional<String> failingStep;
  private final Duration tick;
  private final List<Wave> first;
  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-06-01T22:00:00Z"));
  private final SampleCluster cluster;
  private final List<Entry> entries = new ArrayList<>();
  private final Playbook playbook;
  private SweepEngine engine;
  private Optional<Statement> changedSource = Optional.empty();
  private SortedMap<String, String> software = new TreeMap<>();
  private int asBefore;

  /** Compiled once for all nights of a playbook. */
  private static final Map<String, Diagnoser> DIAGNOSERS = new ConcurrentHashMap<>();

  /**
   * @param profile the profile with the failing jobs
   * @param failures how many of its jobs fail before they measure
   * @param failingStep an action of the remedy that does not succeed
   */
  SampleNight(
      Path root,
      Playbook playbook,
      Sample sample,
      String profile,
      int failures,
      Optional<String> failingStep)
      throws IOException {
    this(root, playbook, sample, profile, failures, failingStep, TICK);
  }

  SampleNight(
      Path root,
      Playbook playbook,
      Sample sample,
      String profile,
      int failures,
      Optional<String> failingStep,
      Duration tick)
      throws IOException {
    this(root, playbook, sample, profile, failures, failingStep, tick, List.of());
  }

  /**
   * @param first waves before the baseline's
   */
  SampleNight(
      Path root,
      Playbook playbook,
      Sample sample,
      String profile,
      int failures,
      Optional<String> failingStep,
      Duration tick,
      List<Wave> first)
      throws IOException {
    this.tick = tick;
    this.first = first;
    this.root = root;
    this.sample = sample;
    this.failingStep = failingStep;
    cluster = new SampleCluster(sample, profile, failures, first.size(), failingStep, clock);
    Files.createDirectories(root);
    layOutNotes();
    entries.add(new Entry(1, clock.instant(), new Event.SweepStarted("night", 1, spec(playbook))));
    this.playbook = playbook;
    engine = daemon();
  }

  /** A daemon that continues from what the earlier one journaled. */
  private SweepEngine daemon() {
    CommandRunner direct = CommandRunner.direct(Map.of("STANDIN_NOTES", root.toString()));
    CommandRunner standIns =
        (arguments, timeout) ->
            direct.run(
                Stream.concat(
                        Stream.of(STANDINS.resolve(arguments.getFirst()).toString()),
                        arguments.stream().skip(1))
                    .toList(),
                timeout);
    SampleWorkload workload = new SampleWorkload();
    SweepDirectory directory = new SweepDirectory(root.resolve("night"));
    return new SweepEngine(
        SweepState.fold(entries),
        new MemoryJournal(),
        new Observer(
            directory,
            cluster,
            workload,
            DIAGNOSERS.computeIfAbsent(
                playbook.name(),
                name -> new PlaybookDiagnoser(playbook.recognition(), Workloads::hearSteps)),
            Settings.defaults()),
        new Actor(
            directory,
            cluster,
            workload,
            new RemedyActions(
                cluster,
                workload,
                new NodeEvidence(standIns),
                new NicReset(standIns),
                standIns,
                clock)),
        (seq, at, decision) -> {},
        clock);
  }

  /** Runs until the sweep halts, finishes, or the condition holds. */
  SweepState run(Predicate<SweepState> enough) throws Exception {
    for (int i = 0; i < MOST_TICKS; i++) {
      engine.tick();
      SweepState s = engine.state();
      boolean stopped = s.phase() instanceof Phase.Halted || s.isFinished();
      if ((stopped && s.inFlight().isEmpty()) || enough.test(s)) {
        return s;
      }
      boolean awaitsAction =
          s.attempts()
              .anyMatch(a -> a.remedy().flatMap(AttemptState.RemedyState::running).isPresent());
      if (awaitsAction) {
        Thread.sleep(5);
      } else {
        clock.advance(tick);
      }
    }
    throw new AssertionError("no end after " + MOST_TICKS + " ticks: " + engine.state().phase());
  }

  /** Each look at the sweep is made by another daemon, at this interval. */
  SweepState restarting(Duration every, int daemons) throws Exception {
    for (int i = 0; i < daemons; i++) {
      engine = daemon();
      engine.tick();
      // Steps of a remedy run beside the tick.
      Thread.sleep(100);
      engine.tick();
      if (engine.state().phase() instanceof Phase.Halted) {
        break;
      }
      clock.advance(every);
    }
    return engine.state();
  }

  /** Lets this many jobs of the profile measure before the others fail. */
  void failAfter(int good) {
    cluster.failAfter(good);
  }

  /** The lines that a cancelled job's ranks write into its log before they end. */
  void onCancel(String lines) {
    cluster.onCancel(lines);
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** Runs this many trials with one image, the later ones with another. */
  void changeTheImageAfter(int trials) {
    asBefore = trials;
    software = new TreeMap<>(Map.of("image digest", "sha256:first"));
  }

  void changeTheSource(Statement statement) {
    changedSource = Optional.of(statement);
  }

  /** Sets the kernel log of every node from now on. */
  void kernelsSay(String log) throws IOException {
    Files.writeString(root.resolve("dmesg"), log);
  }

  /** The drivers that were unloaded and loaded, in order. */
  List<String> modules() throws IOException {
    Path modules = root.resolve("modules");
    return Files.exists(modules) ? Files.readAllLines(modules) : List.of();
  }

  void tell(Command command) throws IOException {
    engine.accept(command, new Command.Origin(Command.Origin.Door.CLI, "test"));
  }

  private void layOutNotes() throws IOException {
    boolean nicsStayDown = failingStep.filter("verify-nic"::equals).isPresent();
    Files.writeString(
        root.resolve("ibstat"),
        nicsStayDown ? "CA 'ionic_0'\n\t\tState: Down\n" : "CA 'ionic_0'\n\t\tState: Active\n");
    Files.writeString(
        root.resolve("dmesg"), "2099-01-01T00:00:00,000000+00:00 ionic 0000:41:00.0: Link down\n");
    if (failingStep.filter("check-dmesg"::equals).isPresent()) {
      Files.writeString(
          root.resolve("dmesg"), "2099-01-01T00:00:00,000000+00:00 amdgpu: GPU reset begin!\n");
    }
    if (failingStep.isPresent()) {
      Files.writeString(root.resolve("fail." + failingStep.get()), "");
    }
  }

  private SweepSpec spec(Playbook playbook) {
    Map<String, String> flags = new TreeMap<>();
    Matcher m = FLAG.matcher(sample.log());
    while (m.find()) {
      flags.put(m.group(), m.group().endsWith("_bytes") ? "1073741824" : "1");
    }
    if (failingStep.filter("drop-flag"::equals).isEmpty()) {
      flags.put("--xla_that_is_fine", "1");
    }
    return new SweepSpec(
        new Cell("model", "FSDP=1", List.of(NODE), Optional.empty()),
        "any",
        new TreeMap<>(),
        new Metric("tokensPerSecondPerDevice", "tok/s/device", Metric.Better.HIGHER),
        List.of(new ConfigTag("default", new TreeMap<>())),
        List.of(Profile.baseline(), Profile.of(CANDIDATE, flags, Map.of(), Map.of())),
        new Plan(
            "test",
            Stream.concat(
                    first.stream(),
                    Stream.of(
                        new Wave(
                            "baseline",
                            Wave.Kind.BASELINE,
                            List.of(),
                            Wave.When.ALWAYS,
                            1,
                            Statement.NONE),
                        new Wave(
                            "screen",
                            Wave.Kind.SCREEN,
                            List.of(CANDIDATE),
                            Wave.When.ALWAYS,
                            1,
                            Statement.NONE)))
                .toList(),
            List.of()),
        Budgets.of(300, Duration.ofDays(30)),
        Policy.defaults(),
        playbook,
        List.of());
  }

  private final class MemoryJournal implements Journal {
    @Override
    public List<Entry> append(Instant at, List<Event> events) {
      int before = entries.size();
      events.forEach(e -> entries.add(new Entry(entries.size() + 1L, at, e)));
      return List.copyOf(entries.subList(before, entries.size()));
    }

    @Override
    public void close() {}
  }

  private final class SampleWorkload implements Workload {
    @Override
    public Launch launch(LaunchRequest request) {
      return new Launch.Payload(
          "true", 1, PerTask.UNSAID, Map.of(), Optional.empty(), Optional.empty());
    }

    /** From the third job on, the files that jobs are made of are edited. */
    @Override
    public Optional<Statement> changedSince(LaunchRequest request) {
      return cluster.submitted() < 2 ? Optional.empty() : changedSource;
    }

    @Override
    public WorkloadReading read(LaunchRequest request, JobLog log) {
      if (request.trial().purpose() == Trial.Purpose.PROBE) {
        return new WorkloadReading(0, 1, Optional.empty(), new Effective.AsScheduled());
      }
      if (!cluster.fails(request.attempt().toString())) {
        if (!software.isEmpty() && request.trial().id().number() > asBefore) {
          software.put("image digest", "sha256:second");
        }
        return new WorkloadReading(
            14,
            15,
            Optional.of(measurement()),
            Optional.empty(),
            new Effective.AsScheduled(),
            OptionalInt.empty(),
            List.of(),
            Set.of(),
            software,
            OptionalInt.empty());
      }
      int last = sample.step();
      Matcher m = STEP.matcher(sample.log());
      while (m.find()) {
        last = Math.max(last, Integer.parseInt(m.group(1)));
      }
      boolean whole =
          switch (sample.expected()) {
            case "success", "soft-success", "nan-loss" -> true;
            default -> false;
          };
      return new WorkloadReading(
          last,
          sample.stepsTotal() > 0 ? sample.stepsTotal() : 15,
          whole ? Optional.of(measurement()) : Optional.empty(),
          new Effective.AsScheduled());
    }

    @Override
    public List<SetupProblem> preflight(SweepSpec spec) {
      return List.of();
    }

    /** The image may exist for the cluster but not for the daemon, or vice versa. */
    @Override
    public List<SetupProblem> preflight(SweepSpec spec, CommandRunner submitHost) {
      return failingStep.filter("check-image"::equals).isPresent()
          ? List.of(new SetupProblem("no image", "pull it", true))
          : List.of();
    }

    private static Measurement measurement() {
      return new Measurement(
          1000,
          IntStream.range(0, 15)
              .mapToObj(
                  i ->
                      new Measurement.MeasuredStep(
                          i, i == 0 ? 300 : STEP_SECONDS, 1000, OptionalDouble.empty()))
              .toList(),
          5,
          14,
          new TreeMap<>());
    }
  }
}
