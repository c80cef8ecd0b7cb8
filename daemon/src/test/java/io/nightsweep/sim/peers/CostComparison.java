package io.nightsweep.sim.peers;

import io.nightsweep.sim.NoiseFamily;
import io.nightsweep.sim.ReplayTable;
import io.nightsweep.sim.Response;
import io.nightsweep.sim.peers.Shift.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Node-hours to a confirmed winner, for Nightsweep and its peers, on the same surfaces with the
 * same noise. Every contestant gets its cheapest setting that reaches Nightsweep's power.
 *
 * <p>Arguments: nights for each contestant, nights for those in separate processes (0: only
 * Nightsweep), then the commands of Optuna and irace, each as one argument with spaces between its
 * words, and the surfaces; irace is left out if its command is empty.
 */
public final class CostComparison {
  private static final double GAIN = 0.02;

  /** Steps of short jobs; a whole one has fifteen. */
  private static final int SHORT = 8;

  private static final List<String> PRUNERS = List.of("median", "halving", "wilcoxon");

  /** Random difference between two powers from a few hundred nights. */
  private static final double SAME_POWER = 0.015;

  private final int nights;
  private final int askedNights;
  private final List<String> optuna;
  private final List<String> irace;

  private CostComparison(int nights, int askedNights, List<String> optuna, List<String> irace) {
    this.nights = nights;
    this.askedNights = askedNights;
    this.optuna = optuna;
    this.irace = irace;
  }

  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    CostComparison comparison =
        new CostComparison(
            Integer.parseInt(args[0]),
            Integer.parseInt(args[1]),
            Arrays.asList(args[2].split(" ", -1)),
            Arrays.asList(args[3].split(" ", -1)));
    for (int i = 4; i < args.length; i++) {
      switch (args[i]) {
        case "synthetic" -> comparison.compare(World.synthetic(GAIN), World.synthetic(0));
        case "replay" -> comparison.replay();
        default -> comparison.under(args[i].split(":", 2));
      }
    }
  }

  /** A family of noise, and the gain in percent if it differs. */
  private void under(String[] words) throws IOException, InterruptedException, ExecutionException {
    NoiseFamily family = NoiseFamily.valueOf(words[0].toUpperCase(Locale.ROOT).replace('-', '_'));
    double gain = words.length > 1 ? Double.parseDouble(words[1]) / 100 : GAIN;
    compare(World.under(family, gain), World.under(family, 0));
  }

  private void replay() throws IOException, InterruptedException, ExecutionException {
    for (String cell : ReplayTable.names()) {
      for (double noise : new double[] {0.008, 0.027}) {
        World world = World.replay(cell, ReplayTable.named(cell).responses(), noise);
        LinkedHashMap<String, Response> nothing = new LinkedHashMap<>(world.responses());
        nothing.replaceAll(
            (profile, response) ->
                response instanceof Response.Gain gain && gain.logGain() > 0
                    ? Response.NOTHING
                    : response);
        compare(world, World.replay(cell, nothing, noise));
      }
    }
  }

  /** The results of one setting. */
  private record Row(Setting setting, List<Outcome> outcomes) {
    double power() {
      return share(outcomes.stream().filter(Outcome::found).count());
    }

    double falseWinners() {
      return share(outcomes.stream().filter(Outcome::falseWinner).count());
    }

    double mean() {
      return outcomes.stream().mapToDouble(Outcome::nodeHours).average().orElse(Double.NaN);
    }

    double median() {
      return outcomes.stream()
          .map(Outcome::nodeHours)
          .sorted()
          .skip(outcomes.size() / 2)
          .findFirst()
          .orElse(Double.NaN);
    }

    double jobs() {
      return outcomes.stream().mapToInt(Outcome::jobs).average().orElse(Double.NaN);
    }

    private double share(long hits) {
      return (double) hits / outcomes.size();
    }
  }

  /**
   * @param nothing the same world without an effect, for the share of false winners
   */
  private void compare(World world, World nothing)
      throws IOException, InterruptedException, ExecutionException {
    System.out.printf(
        "%n### %s%n%n| contestant | setting | power | node-hours, median / mean | of ours | jobs | "
            + "no effect: node-hours | of ours | false winner |%n"
            + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |%n",
        world.name());
    Ours us = new Ours(OptionalInt.empty());
    Row ours = all(us, world).getFirst();
    Row ourNothing = all(us, nothing).getFirst();
    print(us, ours, ourNothing, ours, ourNothing);
    Ours brief = new Ours(OptionalInt.of(SHORT));
    print(brief, all(brief, world).getFirst(), all(brief, nothing).getFirst(), ours, ourNothing);
    if (askedNights == 0) {
      return;
    }
    List<Contestant> contestants = new ArrayList<>();
    contestants.add(new EqualRuns(false));
    contestants.add(new EqualRuns(true));
    contestants.add(new RandomSearch());
    if (!irace.getFirst().isEmpty()) {
      contestants.add(new Irace(irace));
    }
    for (String pruner : PRUNERS) {
      contestants.add(new Optuna(optuna, pruner));
    }
    // Each in a separate thread, since some wait for separate processes.
    try (ExecutorService threads = Executors.newFixedThreadPool(contestants.size())) {
      List<Future<Runnable>> lines =
          contestants.stream()
              .map(
                  contestant ->
                      threads.submit(() -> line(contestant, world, nothing, ours, ourNothing)))
              .toList();
      for (Future<Runnable> line : lines) {
        line.get().run();
      }
    }
  }

  private Runnable line(Contestant contestant, World world, World nothing, Row ours, Row ourNothing)
      throws IOException {
    try (contestant) {
      List<Row> rows = all(contestant, world);
      rows.forEach(
          row ->
              System.err.printf(
                  Locale.ROOT,
                  "%s, %s: power %.3f, node-hours %.1f, %d nights%n",
                  contestant.name(),
                  row.setting(),
                  row.power(),
                  row.mean(),
                  row.outcomes().size()));
      Row best = chosen(rows, ours.power());
      Row without = withoutEffect(contestant, best, nothing);
      return () -> print(contestant, best, without, ours, ourNothing);
    }
  }

  private Row withoutEffect(Contestant contestant, Row row, World nothing) {
    return simulate(contestant, nothing, count(contestant), row.setting().effort()).stream()
        .filter(r -> r.setting().equals(row.setting()))
        .findFirst()
        .orElseThrow();
  }

  private List<Row> all(Contestant contestant, World world) {
    return simulate(contestant, world, count(contestant), 0);
  }

  private int count(Contestant contestant) {
    return isAsked(contestant) ? askedNights : nights;
  }

  private static boolean isAsked(Contestant contestant) {
    return contestant instanceof Optuna || contestant instanceof Irace;
  }

  private static void print(Contestant contestant, Row row, Row without, Row ours, Row ourNothing) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s%s | %.1f %% | %.0f / %.0f | %.2f | %.0f | %.0f | %.2f | %.1f %% |%n",
        contestant.name(),
        row.setting(),
        row.power() >= ours.power() - SAME_POWER ? "" : " (does not reach it)",
        100 * row.power(),
        row.median(),
        row.mean(),
        row.mean() / ours.mean(),
        row.jobs(),
        without.mean(),
        without.mean() / ourNothing.mean(),
        100 * without.falseWinners());
  }

  /** The cheapest setting that reaches the power, or else the one closest to it. */
  private static Row chosen(List<Row> rows, double power) {
    return rows.stream()
        .filter(row -> row.power() >= power - SAME_POWER)
        .min(Comparator.comparingDouble(Row::mean))
        .orElseGet(() -> rows.stream().max(Comparator.comparingDouble(Row::power)).orElseThrow());
  }

  private static List<Row> simulate(Contestant contestant, World world, int nights, int only) {
    IntStream seeds = IntStream.range(0, nights);
    List<SortedMap<Setting, Outcome>> all =
        (isAsked(contestant) ? seeds : seeds.parallel())
            .mapToObj(seed -> night(contestant, world, seed, only))
            .toList();
    SortedMap<Setting, List<Outcome>> bySetting = new TreeMap<>();
    for (SortedMap<Setting, Outcome> night : all) {
      for (Map.Entry<Setting, Outcome> outcome : night.entrySet()) {
        bySetting.computeIfAbsent(outcome.getKey(), s -> new ArrayList<>()).add(outcome.getValue());
      }
    }
    return bySetting.entrySet().stream().map(e -> new Row(e.getKey(), e.getValue())).toList();
  }

  private static SortedMap<Setting, Outcome> night(
      Contestant contestant, World world, int seed, int only) {
    try {
      return contestant.night(world, seed, only);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
