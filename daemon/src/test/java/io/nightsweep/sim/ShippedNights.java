package io.nightsweep.sim;

import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.EvidenceReader;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Wave;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Nights of the packed plan, catalogs and playbooks at the packed budget: the packed sweep file
 * with only the parallelism changed, read like a user's.
 */
final class ShippedNights {
  /** "10 to 12 minutes" a job. */
  static final Timing JOB = new Timing(Duration.ofMinutes(11), 0.09, Duration.ZERO);

  private static final double NOISE = 0.008;

  /** A model of an 8 x 8 machine; MaxText derives the shape of its pipeline from the model. */
  private static final String MODEL =
      """
      base_num_decoder_layers: 61
      per_device_batch_size: 8
      ici_fsdp_parallelism: 8
      dcn_fsdp_parallelism: 8
      dcn_pipeline_parallelism: 1
      pipeline_parallel_layers: 56
      """;

  private final SweepSpec spec;
  private final String parallelism;

  ShippedNights(Path repository, String parallelism, int tags) throws Exception {
    this(parallelism, spec(repository, parallelism, tags));
  }

  ShippedNights(String parallelism, SweepSpec spec) {
    this.parallelism = parallelism;
    this.spec = spec;
  }

  SweepSpec spec() {
    return spec;
  }

  /** The true effects of profiles in a row's nights. */
  enum Truth {
    /** As published for the parallelism of the cell's first axis. */
    PUBLISHED,
    ONE_OF_TWO_PERCENT,
    ONE_OF_THREE_PERCENT,
    NOTHING
  }

  /**
   * @param right whether the winner is the better profile; for published effects: one of the family
   * @param exact whether it also has the published value
   * @param targetAt share of the budget's time used when the target was reached
   */
  record Outcome(
      int jobs,
      double hours,
      List<String> waves,
      List<String> cut,
      Optional<String> winner,
      boolean right,
      boolean exact,
      boolean falseWinner,
      Event.SweepFinished.SweepOutcome end,
      String conclusion,
      Optional<Double> targetAt) {}

  List<Outcome> nights(Truth truth, int count) {
    return IntStream.range(0, count).parallel().mapToObj(seed -> night(truth, seed)).toList();
  }

  Outcome night(Truth truth, long seed) {
    Night.Result night = result(truth, seed);
    SweepState s = night.state();
    Surface surface = surface(truth, seed);
    Optional<Profile> winner = Standings.winner(s).map(w -> s.profile(w.profile()));
    boolean right =
        winner
            .map(
                w ->
                    switch (truth) {
                      case PUBLISHED -> Published.isFamily(parallelism, w.flags());
                      case ONE_OF_TWO_PERCENT, ONE_OF_THREE_PERCENT ->
                          w.name().equals(better(seed)) || w.parts().contains(better(seed));
                      case NOTHING -> false;
                    })
            .orElse(false);
    boolean exact =
        truth == Truth.PUBLISHED
            && winner.filter(w -> Published.isPublishedValue(parallelism, w.flags())).isPresent();
    boolean falseWinner =
        winner.filter(w -> surface.effect(w, s.spec().primaryTag().name()) <= 0).isPresent();
    Event.SweepFinished finished =
        night.entries().stream()
            .map(Entry::event)
            .filter(Event.SweepFinished.class::isInstance)
            .map(Event.SweepFinished.class::cast)
            .reduce((first, second) -> second)
            .orElseThrow();
    return new Outcome(
        night.jobs(),
        night.elapsed().toMillis() / 3_600_000.0,
        s.waves().stream().filter(w -> !w.trials().isEmpty()).map(w -> w.wave().name()).toList(),
        Conclusion.cut(s),
        winner.map(Profile::name),
        right,
        exact,
        falseWinner,
        finished.outcome(),
        Sentences.of(finished.ending(), Phrases.EN),
        targetAt(night));
  }

  Night.Result result(Truth truth, long seed) {
    return result(truth, Faults.none(), seed);
  }

  Night.Result result(Truth truth, Faults faults, long seed) {
    return new Night(spec, surface(truth, seed), faults, JOB, seed).run();
  }

  /**
   * @param evidence what the profiled jobs show
   */
  Night.Result result(Truth truth, EvidenceReader evidence, long seed) {
    return new Night(spec, surface(truth, seed), Faults.none(), JOB, seed).reading(evidence).run();
  }

  /** The time of the first wave that was skipped for it, as a share of the budget's time. */
  private Optional<Double> targetAt(Night.Result night) {
    SweepState s = night.state();
    return night.entries().stream()
        .filter(
            e ->
                e.event() instanceof Event.WaveSkipped skip
                    && skip.why().equals(new Cause.NotNeeded(Cause.Need.TARGET_NOT_MET)))
        .map(
            e ->
                Duration.between(s.startedAt().orElseThrow(), e.at()).toMillis()
                    / (double) spec.budget().duration().orElseThrow().toMillis())
        .findFirst();
  }

  private Surface surface(Truth truth, long seed) {
    Map<String, Response> responses =
        switch (truth) {
          case PUBLISHED -> Published.responses(parallelism, spec);
          case ONE_OF_TWO_PERCENT -> Map.of(better(seed), new Response.Gain(Math.log1p(0.02)));
          case ONE_OF_THREE_PERCENT -> Map.of(better(seed), new Response.Gain(Math.log1p(0.03)));
          case NOTHING -> Map.of();
        };
    DrawnSurface drawn = new DrawnSurface(responses, 1000, Weather.usual(NOISE), seed);
    return truth == Truth.PUBLISHED ? new Published.Surfaces(drawn, parallelism) : drawn;
  }

  /** The one candidate among all screened ones that truly gains in this night. */
  private String better(long seed) {
    List<String> candidates =
        spec.plan().waves().stream()
            .filter(w -> w.kind() == Wave.Kind.SCREEN)
            .flatMap(w -> w.profiles().stream())
            .distinct()
            .toList();
    // java.util.Random gives nearly the same first number for neighbouring seeds, modulo 26.
    return candidates.get(new SplittableRandom(seed).nextInt(candidates.size()));
  }

  static long screened(SweepState s) {
    return s.trials().values().stream()
        .filter(t -> t.trial().purpose() == Trial.Purpose.SCREEN && t.measurement().isPresent())
        .map(t -> t.trial().profile())
        .distinct()
        .count();
  }

  static SweepSpec spec(Path repository, String parallelism, int tags) throws Exception {
    return spec(repository, parallelism, tags, text -> text);
  }

  /**
   * @param edited a user's changes
   */
  static SweepSpec spec(Path repository, String parallelism, int tags, UnaryOperator<String> edited)
      throws Exception {
    Files.createDirectories(repository.resolve("configs"));
    Path model = repository.resolve("configs/deepseek3-671b.gpu.yml");
    if (!Files.exists(model)) {
      Files.writeString(model, MODEL);
    }
    String text =
        packed()
            .replace("{{cluster}}", "8 nodes")
            .replace("{{nodes}}", "")
            .replace("FSDP={{ranks}}", parallelism)
            .replace("{{slot}}", "{nodes: 8}")
            .replace("{{models}}", "")
            .replace("{{model}}", "deepseek3-671b")
            .replace("{{repository}}", repository.toString())
            .replace("{{image}}", "")
            .replace("{{ray}}", "true")
            .replace("{{playbook}}", "maxtext-rocm");
    if (tags > 1) {
      text =
          text.replace("# configTags:", "configTags:")
              .replace("#   sparse:", "  sparse:")
              .replace("#   dense:", "  dense:");
    }
    return SweepFile.parse(
            "sweep.yaml", edited.apply(text), Resources.beside(Path.of("nowhere/sweep.yaml")))
        .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
  }

  private static String packed() throws IOException {
    return Resources.packed("templates/sweep.maxtext.yaml").orElseThrow(IOException::new);
  }

  /** One line of the table. */
  static String row(String cell, int tags, Truth truth, List<Outcome> nights) {
    TreeMap<String, Integer> cut = new TreeMap<>();
    nights.forEach(n -> n.cut().forEach(w -> cut.merge(w, 1, Integer::sum)));
    LinkedHashMap<String, Integer> winners = new LinkedHashMap<>();
    nights.forEach(n -> winners.merge(n.winner().orElse("-"), 1, Integer::sum));
    TreeMap<String, Integer> ends = new TreeMap<>();
    nights.forEach(n -> ends.merge(n.end().name(), 1, Integer::sum));
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %d | %.0f (%d..%d) | %.1f (max %.1f) | %.1f | %s | %d | %s | %d | %s | %s |",
        cell,
        tags,
        truth.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        nights.size(),
        nights.stream().mapToInt(Outcome::jobs).average().orElse(0),
        nights.stream().mapToInt(Outcome::jobs).min().orElse(0),
        nights.stream().mapToInt(Outcome::jobs).max().orElse(0),
        nights.stream().mapToDouble(Outcome::hours).average().orElse(0),
        nights.stream().mapToDouble(Outcome::hours).max().orElse(0),
        nights.stream().mapToInt(n -> n.waves().size()).average().orElse(0),
        cut.isEmpty() ? "-" : cut,
        nights.stream().filter(Outcome::right).count(),
        truth == Truth.PUBLISHED ? nights.stream().filter(Outcome::exact).count() : "-",
        nights.stream().filter(Outcome::falseWinner).count(),
        nights.stream()
            .flatMap(n -> n.targetAt().stream())
            .mapToDouble(Double::doubleValue)
            .boxed()
            .reduce(Math::max)
            .map(t -> String.format(Locale.ROOT, "%.0f %%", 100 * t))
            .orElse("-"),
        ends + " " + (winners.size() < 7 ? winners : ""));
  }
}
