package io.nightsweep.sim;

import io.nightsweep.sweep.Entry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Some hundred simulated nights at fixed seeds, by name: quiet ones and ones with failing jobs,
 * lost answers and crashes; drawn response surfaces; published figures; evidence and advice; nights
 * of random faults and commands with a remedy of every kind; and nights of the packed plan.
 */
final class GoldenNights {
  private static final Duration JOB = Duration.ofMinutes(8);

  private GoldenNights() {}

  static Map<String, Callable<List<Entry>>> all() {
    Map<String, Callable<List<Entry>>> nights = new LinkedHashMap<>();
    for (int i = 1; i <= 6; i++) {
      int seed = i;
      nights.put("quiet-" + i, () -> kernels(4 + seed, 60, Faults.none(), seed));
    }
    for (int i = 1; i <= 24; i++) {
      int seed = i;
      Faults faults =
          Faults.none()
              .with(Faults.Kind.JOB_FAILS, 0.1)
              .with(Faults.Kind.JOB_VANISHES, 0.03)
              .with(Faults.Kind.UNREACHABLE, 0.05)
              .with(Faults.Kind.ANSWER_LOST, 0.05)
              .with(Faults.Kind.REFUSED, 0.02)
              .with(Faults.Kind.CRASH, 0.02);
      nights.put("faulty-" + i, () -> kernels(3 + seed % 6, 20 + 2 * seed, faults, seed));
    }
    for (int i = 1; i <= 12; i++) {
      int seed = i;
      nights.put("drawn-" + i, () -> drawn(seed));
    }
    for (String cell : List.of("FSDP=8 sgd-v3", "PP=8 sgd-v3", "PP=8 dense-cf1.25")) {
      nights.put("published " + cell, () -> published(cell));
    }
    nights.put(
        "evidence-gather",
        () ->
            EvidenceNightTest.night(
                    Map.of("all-gather", 28.0, "while-loop", 1.0), "all-gather", 0.3)
                .entries());
    nights.put(
        "evidence-idle",
        () ->
            EvidenceNightTest.night(
                    Map.of("all-gather", 28.0, "collective-permute", 7.0, "while-loop", 1.0),
                    "idle",
                    0.4)
                .entries());
    for (int i = 1; i <= 3; i++) {
      int seed = i;
      nights.put(
          "advised-" + i,
          () -> AdvisedNightTest.night(AdvisedNightTest.spec(200_000), seed).entries());
    }
    for (String cell : List.of("FSDP=8", "PP=8", "FSDP=4,TP=2")) {
      nights.put("packed " + cell, () -> packed(cell));
    }
    for (int i = 1; i <= 50; i++) {
      int seed = i;
      nights.put("rough-" + i, () -> rough(seed));
    }
    return nights;
  }

  private static List<Entry> kernels(int profiles, int jobs, Faults faults, long seed) {
    return new Night(Specs.kernels(profiles, jobs), Specs.surface(0.05, 0.005), faults, JOB, seed)
        .run()
        .entries();
  }

  private static List<Entry> drawn(long seed) {
    Map<String, Response> responses =
        Map.of(
            "p2", new Response.Fails("oom-gpu", 0.5),
            "p3", new Response.Gain(0.02 * (seed % 4)),
            "p5", new Response.Gain(-0.05));
    return new Night(
            Specs.kernels(6, 50),
            new DrawnSurface(responses, 1000, Weather.usual(0.008), seed),
            Faults.none().with(Faults.Kind.JOB_FAILS, 0.1),
            new Timing(JOB, 0.1, Duration.ofMinutes(2)),
            seed)
        .run()
        .entries();
  }

  private static List<Entry> published(String name) {
    ReplayTable.ReplayCell cell = ReplayTable.named(name);
    return Specs.night(
            Specs.screening(cell.profiles(), Optional.of(60), 8),
            new DrawnSurface(
                cell.responses(), cell.baselineTokensPerSecond(), Weather.usual(0.008), 1),
            JOB,
            1)
        .run()
        .entries();
  }

  /** The packed sweep file with its plan, catalogs and playbook; only the cell is the test's. */
  private static List<Entry> packed(String cell) throws Exception {
    Path repository = Path.of("target/golden-repository");
    return new ShippedNights(repository, cell, 1)
        .result(
            Published.isPublished(cell)
                ? ShippedNights.Truth.PUBLISHED
                : ShippedNights.Truth.NOTHING,
            1)
        .entries();
  }

  private static List<Entry> rough(long seed) throws Exception {
    RoughNight night = new RoughNight(seed);
    night.run();
    return night.entries();
  }
}
