package io.nightsweep.report;

import io.nightsweep.engine.EvidenceReader;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.AlteredSurface;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Nights of one model in two parallelisms with effects of opposite signs. */
final class TuningNights {
  static final String AG = "--xla_gpu_all_gather_combine_threshold_bytes";
  static final String OVERLAP = "--xla_gpu_experimental_parallel_collective_overlap_limit";
  static final String MODEL = "deepseek3-671b";

  /** Profiles of the packed catalogs. */
  static final String AG_1G = "ag-1G";

  static final String OVERLAP_2 = "ovl-2";
  static final String ASYNC = "prio";
  static final String CHANNELS_8 = "chan-8";

  private static final List<String> CANDIDATES = List.of(AG_1G, OVERLAP_2, ASYNC, CHANNELS_8);

  private static final Map<String, Double> FSDP =
      Map.of(AG_1G, 0.11, OVERLAP_2, -0.12, Profile.BASELINE_NO_ENV, 0.002);

  /** On PP the winner hurts the dense tag. */
  private static final Map<String, Double> PP =
      Map.of(AG_1G, -0.06, OVERLAP_2, 0.06, Profile.BASELINE_NO_ENV, -0.01);

  private static final Profile NO_ENV =
      new Profile(
          Profile.BASELINE_NO_ENV,
          Profile.Base.NO_ENV,
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          List.of());

  private TuningNights() {}

  static SweepState fsdp() {
    return Fsdp.STATE;
  }

  /** The events of the night of {@link #fsdp}. */
  static List<Entry> fsdpEntries() {
    return Fsdp.ENTRIES;
  }

  static SweepState pp() {
    return Pp.STATE;
  }

  private static final class Fsdp {
    static final List<Entry> ENTRIES = asATrainingSays(night("FSDP=8", FSDP, "all-gather", 5));
    static final SweepState STATE = folded(ENTRIES);
  }

  private static final class Pp {
    static final SweepState STATE =
        folded(asATrainingSays(night("PP=8", PP, "collective-permute", 6)));
  }

  private static Night.Result night(
      String parallelism, Map<String, Double> effects, String dominant, long seed) {
    EvidenceReader reader =
        (workload, request, job) ->
            CompletableFuture.completedFuture(findings(request.attempt(), job.value(), dominant));
    return Specs.night(
            spec(parallelism), surface(parallelism, effects), Duration.ofMinutes(8), seed)
        .reading(reader)
        .run();
  }

  private static List<Finding> findings(AttemptId attempt, String job, String dominant) {
    String dump = "job " + job + ": xla_dump/module_0001.jit_train_step.txt";
    String profile = "job " + job + ": tensorboard/node.xplane.pb";
    return List.of(
        new Finding(
            attempt,
            Finding.MECHANISMS,
            Statement.phrase(
                "holds",
                "all-gather (28), async-collective (35), collective-permute (7), while-loop (1)"),
            List.of(dump),
            new TreeMap<>(
                Map.of(
                    "all-gather", 28.0,
                    "collective-permute", 7.0,
                    "async-collective", 35.0,
                    "while-loop", 1.0))),
        new Finding(
            attempt,
            Finding.BREAKDOWN,
            Statement.phrase("breakdown", "3.000", 8, "60.0", "30.0", "3.3", "6.7"),
            List.of(profile),
            new TreeMap<>(
                Map.of(
                    "window", 3.0,
                    "compute", 1.8,
                    "hidden communication", 0.4,
                    "exposed communication", 0.9,
                    "copies", 0.1,
                    "idle", 0.2))),
        new Finding(
            attempt,
            Finding.DOMINANT,
            Statement.phrase("costs-most", dominant, "30.0"),
            List.of(profile),
            new TreeMap<>(Map.of(dominant, 0.3))));
  }

  private static SweepSpec spec(String parallelism) {
    SweepSpec packed = packed(parallelism);
    List<Wave> waves =
        List.of(
            new Wave(
                "baseline",
                Wave.Kind.BASELINE,
                List.of(Profile.BASELINE_NO_ENV),
                Wave.When.ALWAYS,
                2,
                Statement.phrase("why-baseline-kernels")),
            new Wave(
                "evidence",
                Wave.Kind.EVIDENCE,
                List.of(),
                Wave.When.ALWAYS,
                1,
                Statement.words("mechanism")),
            Specs.wave("flags-1", Wave.Kind.SCREEN, CANDIDATES, Wave.When.ALWAYS, 2, "the catalog"),
            Specs.wave("race", Wave.Kind.RACE, List.of(), Wave.When.IF_CONTENDER, 6, "decide"),
            Specs.wave("confirm", Wave.Kind.CONFIRM, List.of(), Wave.When.IF_CONTENDER, 1, "fresh"),
            Specs.wave(
                "cross", Wave.Kind.CROSS_CHECK, List.of(), Wave.When.IF_WINNER, 2, "other tags"));
    List<Profile> profiles = new ArrayList<>(List.of(Profile.baseline(), NO_ENV));
    packed.catalogs().stream()
        .flatMap(catalog -> catalog.entries().stream())
        .flatMap(entry -> entry.candidates().stream())
        .filter(profile -> CANDIDATES.contains(profile.name()))
        .forEach(profiles::add);
    TreeMap<String, Plan.Candidate> candidates = new TreeMap<>(packed.plan().candidates());
    candidates.keySet().retainAll(CANDIDATES);
    return new SweepSpec(
        new Cell(MODEL, parallelism, List.of("n1", "n2"), Optional.empty()),
        "maxtext",
        new TreeMap<>(Map.of("per_device_batch_size", "7")),
        new Metric("tokensPerSecondPerDevice", "tok/s/device", Metric.Better.HIGHER),
        List.of(
            new ConfigTag("sgd-v3", new TreeMap<>(Map.of("sparse_matmul", "true"))),
            new ConfigTag("dense", new TreeMap<>())),
        profiles,
        new Plan("xla-tuning", waves, List.of(), candidates, List.of()),
        Budgets.of(120, Duration.ofHours(20)),
        Policy.defaults(),
        Specs.playbook(),
        List.of());
  }

  /** The cell as the packed plan expands it from the packed catalogs. */
  static SweepSpec packed(String parallelism) {
    String text =
        """
        model: %s
        parallelism: %s
        slot: {nodelist: "n[1-2]"}
        workload: {kind: maxtext, repository: /opt/tuning}
        """
            .formatted(MODEL, parallelism);
    try {
      return SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("nowhere/sweep.yaml")))
          .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Surface surface(String parallelism, Map<String, Double> effects) {
    Surface usual = Specs.surface(0, 0.004);
    return new AlteredSurface(usual) {
      @Override
      public double effect(Profile profile, String configTag) {
        boolean hurts =
            parallelism.equals("PP=8")
                && configTag.equals("dense")
                && profile.name().equals(OVERLAP_2);
        return hurts ? -0.06 : effects.getOrDefault(profile.name(), 0.0);
      }

      @Override
      public double baseline(String configTag) {
        return configTag.equals("dense") ? 1400 : 1000;
      }
    };
  }

  /** Adds steps and memory as a training prints them; simulated jobs have none. */
  private static List<Entry> asATrainingSays(Night.Result night) {
    List<Entry> entries = new ArrayList<>();
    for (Entry e : night.entries()) {
      entries.add(
          e.event() instanceof Event.AttemptJudged j
                  && j.judgement() instanceof Judgement.Measured m
              ? new Entry(
                  e.seq(),
                  e.at(),
                  new Event.AttemptJudged(
                      j.attempt(), new Judgement.Measured(asATrainingSays(m.measurement()))))
              : e);
    }
    Entry last = entries.getLast();
    entries.add(
        new Entry(
            last.seq() + 1,
            last.at(),
            new Event.InventoryTaken(
                List.of(
                    new Fact("image", "rocm/jax-training:v26", true),
                    new Fact("MaxText branch", "tuned", true),
                    new Fact("base config", "configs/" + MODEL + ".gpu.yml", true),
                    new Fact("max_target_length", "4096", true),
                    new Fact("steps", "15", true),
                    new Fact(MODEL + ".env.sh: NCCL_PROTO", "LL", false)))));
    return entries;
  }

  private static SweepState folded(List<Entry> entries) {
    SweepState s = SweepState.empty();
    for (Entry e : entries) {
      s = s.apply(e);
    }
    return s;
  }

  private static Measurement asATrainingSays(Measurement m) {
    List<Measurement.MeasuredStep> steps =
        IntStream.range(0, 15)
            .mapToObj(
                i -> {
                  double value = m.value() * (i < 5 ? 0.5 : 1 + 0.001 * (i % 3 - 1));
                  return new Measurement.MeasuredStep(
                      i, 28_000 / value, value, OptionalDouble.of(12 - i));
                })
            .toList();
    return new Measurement(
        m.value(),
        steps,
        9,
        14,
        new TreeMap<>(
            Map.of("totalMemoryBytes", 200e9, "tempBytes", 150e9, "argumentBytes", 40e9)));
  }

  static Stream<SweepState> both() {
    return Stream.of(fsdp(), pp());
  }
}
