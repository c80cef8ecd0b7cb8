package io.nightsweep.sim;

import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Sweeps for simulated nights. */
public final class Specs {
  /** Catalogs by name, since hundreds of nights use the same ones. */
  private static final Map<String, Catalog> PACKED = new ConcurrentHashMap<>();

  private Specs() {}

  /** A wave with a reason in a person's words. */
  public static Wave wave(
      String name,
      Wave.Kind kind,
      List<String> profiles,
      Wave.When when,
      int repetitions,
      String why) {
    return new Wave(name, kind, profiles, when, repetitions, Statement.words(why));
  }

  /** A night without faults. */
  public static Night night(SweepSpec spec, Surface surface, Duration typicalJob, long seed) {
    return new Night(spec, surface, Faults.none(), typicalJob, seed);
  }

  /** As many profiles beside the baseline, without a limit on jobs. */
  public static SweepSpec kernels(int profiles) {
    return kernels(profiles, Optional.empty());
  }

  public static SweepSpec kernels(int profiles, int jobs) {
    return kernels(profiles, Optional.of(jobs));
  }

  static SweepSpec kernels(int profiles, Optional<Integer> jobs) {
    List<Profile> all = new ArrayList<>(List.of(Profile.baseline()));
    for (int i = 1; i <= profiles; i++) {
      all.add(Profile.of("p" + i, Map.of(), Map.of("OMPI_MCA_knob", "" + i), Map.of()));
    }
    List<String> names = all.stream().map(Profile::name).filter(n -> n.startsWith("p")).toList();
    int half = (names.size() + 1) / 2;
    List<Wave> waves =
        List.of(
            wave("baseline", Wave.Kind.BASELINE, List.of(), Wave.When.ALWAYS, 1, "noise"),
            wave(
                "screen-1",
                Wave.Kind.SCREEN,
                names.subList(0, half),
                Wave.When.ALWAYS,
                1,
                "first half"),
            wave(
                "screen-2",
                Wave.Kind.SCREEN,
                names.subList(half, names.size()),
                Wave.When.UNTIL_TARGET_MET,
                1,
                "second half"),
            wave("race", Wave.Kind.RACE, List.of(), Wave.When.IF_CONTENDER, 4, "decide"),
            wave("confirm", Wave.Kind.CONFIRM, List.of(), Wave.When.IF_CONTENDER, 1, "fresh"),
            wave("cross", Wave.Kind.CROSS_CHECK, List.of(), Wave.When.IF_WINNER, 2, "other tags"));
    return new SweepSpec(
        new Cell("allreduce", "ranks=2", List.of("n1", "n2"), Optional.empty()),
        "kernels",
        new TreeMap<>(),
        new Metric("busbwBytesPerSecond", "B/s", Metric.Better.HIGHER),
        List.of(new ConfigTag("1MiB", new TreeMap<>()), new ConfigTag("64KiB", new TreeMap<>())),
        all,
        new Plan("kernels", waves, List.of()),
        new Budget(jobs, Optional.of(Duration.ofHours(12)), Optional.empty(), Optional.empty()),
        Policy.defaults(),
        playbook(),
        List.of());
  }

  /** One wave of screening, a race, a confirmation; one config tag. */
  public static SweepSpec screening(List<String> names, Optional<Integer> jobs, int nodes) {
    List<Profile> all = new ArrayList<>(List.of(Profile.baseline()));
    names.forEach(name -> all.add(Profile.of(name, Map.of(), Map.of("KNOB", name), Map.of())));
    return new SweepSpec(
        new Cell("model", "FSDP=" + nodes, nodes(nodes), Optional.empty()),
        "simulated",
        new TreeMap<>(),
        new Metric("tokensPerSecondPerDevice", "tok/s/device", Metric.Better.HIGHER),
        List.of(new ConfigTag("default", new TreeMap<>())),
        all,
        new Plan(
            "screening",
            List.of(
                new Wave(
                    "baseline", Wave.Kind.BASELINE, List.of(), Wave.When.ALWAYS, 1, Statement.NONE),
                new Wave("screen", Wave.Kind.SCREEN, names, Wave.When.ALWAYS, 1, Statement.NONE),
                new Wave(
                    "race", Wave.Kind.RACE, List.of(), Wave.When.IF_CONTENDER, 8, Statement.NONE),
                new Wave(
                    "confirm",
                    Wave.Kind.CONFIRM,
                    List.of(),
                    Wave.When.IF_CONTENDER,
                    1,
                    Statement.NONE)),
            List.of()),
        new Budget(jobs, Optional.empty(), Optional.empty(), Optional.empty()),
        Policy.defaults(),
        playbook(),
        List.of());
  }

  /** A packed catalog, as for a sweep that names it, reduced to the entries with these ids. */
  public static Catalog packed(String catalog, String... entries) {
    String file =
        """
        model: allreduce
        parallelism: ranks=2
        slot: {nodelist: "n[1-2]"}
        workload: {kind: kernels, kernel: allreduce, sizes: 1048576}
        catalogs: [%s]
        budget: {jobs: 60}
        """
            .formatted(catalog);
    Catalog whole =
        PACKED.computeIfAbsent(
            catalog,
            name ->
                onPaper(file).catalogs().stream()
                    .filter(c -> c.name().equals(name))
                    .findFirst()
                    .orElseThrow());
    List<String> wanted = List.of(entries);
    return wanted.isEmpty()
        ? whole
        : new Catalog(
            catalog,
            whole.about(),
            whole.entries().stream().filter(e -> wanted.contains(e.id())).toList());
  }

  private static SweepSpec onPaper(String file) {
    try {
      return SweepFile.parse("sweep.yaml", file, Resources.beside(Path.of("nowhere/sweep.yaml")))
          .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    } catch (InvalidInputException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same sweep for another cell. */
  public static SweepSpec in(SweepSpec spec, Cell cell) {
    return with(spec, cell, spec.settings(), spec.profiles(), spec.playbook());
  }

  /** The same with a sweep file that defines a run on real data. */
  public static SweepSpec thatCanBeValidated(SweepSpec spec) {
    TreeMap<String, String> settings = new TreeMap<>(spec.settings());
    settings.put("validation.steps", "200");
    return set(spec, settings);
  }

  /** The same with other settings of the workload. */
  public static SweepSpec set(SweepSpec spec, SortedMap<String, String> settings) {
    return with(spec, spec.cell(), settings, spec.profiles(), spec.playbook());
  }

  public static SweepSpec with(SweepSpec spec, Playbook playbook) {
    return with(spec, spec.cell(), spec.settings(), spec.profiles(), playbook);
  }

  /** The same, except that each failure is retried a thousand times before its trial fails. */
  public static SweepSpec patient(SweepSpec spec) {
    Remedy patient =
        Remedy.of(Remedy.Then.RESUBMIT, 1_000, Remedy.RemedyScope.TRIAL, Remedy.Then.FAIL_TRIAL);
    return with(spec, new Playbook("patient", new TreeMap<>(), patient));
  }

  /** The same, except that profile {@code p3} sets {@code BATCH=3}, and so on, and nothing else. */
  public static SweepSpec ofBatches(SweepSpec spec) {
    List<Profile> profiles =
        spec.profiles().stream()
            .map(
                p ->
                    p.isBaseline()
                        ? p
                        : Profile.of(
                            p.name(), Map.of(), Map.of(), Map.of("BATCH", p.name().substring(1))))
            .toList();
    return with(spec, spec.cell(), spec.settings(), profiles, spec.playbook());
  }

  /** The same with other profiles. */
  public static SweepSpec with(SweepSpec spec, List<Profile> profiles) {
    return with(spec, spec.cell(), spec.settings(), profiles, spec.playbook());
  }

  /** The same with other profiles, whose settings a catalog tells. */
  public static SweepSpec with(SweepSpec spec, List<Profile> profiles, Catalog catalog) {
    return with(spec, spec.cell(), spec.settings(), profiles, spec.playbook(), List.of(catalog));
  }

  private static SweepSpec with(
      SweepSpec spec,
      Cell cell,
      SortedMap<String, String> settings,
      List<Profile> profiles,
      Playbook playbook) {
    return with(spec, cell, settings, profiles, playbook, spec.catalogs());
  }

  private static SweepSpec with(
      SweepSpec spec,
      Cell cell,
      SortedMap<String, String> settings,
      List<Profile> profiles,
      Playbook playbook,
      List<Catalog> catalogs) {
    return new SweepSpec(
        cell,
        spec.workload(),
        settings,
        spec.metric(),
        spec.configTags(),
        profiles,
        spec.plan(),
        spec.budget(),
        spec.policy(),
        playbook,
        catalogs);
  }

  private static List<String> nodes(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "n" + i).toList();
  }

  public static Playbook playbook() {
    Remedy retry =
        new Remedy(
            List.of(),
            Remedy.Then.RESUBMIT,
            2,
            Remedy.RemedyScope.TRIAL,
            true,
            Remedy.Then.SET_ASIDE);
    Remedy drop =
        new Remedy(
            List.of(),
            Remedy.Then.DROP_PROFILE,
            1,
            Remedy.RemedyScope.TRIAL,
            false,
            Remedy.Then.DROP_PROFILE);
    return new Playbook("test", new TreeMap<>(Map.of("oom-gpu", drop)), retry);
  }

  /** Profile {@code p3} is better by the given factor's logarithm; normal noise. */
  public static Surface surface(double p3, double noise) {
    return new Surface() {
      @Override
      public double effect(Profile profile, String configTag) {
        return profile.name().equals("p3") ? p3 : 0;
      }

      @Override
      public double baseline(String configTag) {
        return 1000;
      }

      @Override
      public double drift(double hours) {
        return 0.01 * Math.sin(hours);
      }

      @Override
      public double noise(SplittableRandom random) {
        double u = 0;
        for (int i = 0; i < 12; i++) {
          u += random.nextDouble();
        }
        return noise * (u - 6);
      }
    };
  }
}
