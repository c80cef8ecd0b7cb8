package io.nightsweep.sim;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What one wave uses of a night: medians over the nights in which it ran.
 *
 * @param ran the share of nights in which it had a job
 * @param cut the share of nights in which the budget cut it, completely or in part
 * @param jobs submitted for it, retries included
 * @param hours of those jobs
 * @param untilHours from the sweep's start to the end of its last job
 */
public record Pace(
    String wave, double ran, double cut, double jobs, double hours, double untilHours) {

  /** What one wave used of one night. */
  record Taken(String wave, int jobs, double hours, double untilHours) {}

  /** The use of each wave that ran, in the order of the plan. */
  static List<Taken> of(SweepState s) {
    return s.waves().stream().flatMap(w -> taken(s, w).stream()).toList();
  }

  /** The pace of each wave of the plan, in order. */
  static List<Pace> over(List<String> plan, List<List<Taken>> nights, List<List<String>> cuts) {
    return plan.stream().map(wave -> pace(wave, nights, cuts)).toList();
  }

  private static Pace pace(String wave, List<List<Taken>> nights, List<List<String>> cuts) {
    List<Taken> taken =
        nights.stream().flatMap(List::stream).filter(t -> t.wave().equals(wave)).toList();
    long cut = cuts.stream().filter(c -> c.contains(wave)).count();
    return new Pace(
        wave,
        (double) taken.size() / nights.size(),
        (double) cut / nights.size(),
        median(taken.stream().map(t -> (double) t.jobs()).toList()),
        median(taken.stream().map(Taken::hours).toList()),
        median(taken.stream().map(Taken::untilHours).toList()));
  }

  private static double median(List<Double> values) {
    return values.isEmpty() ? 0 : values.stream().sorted().toList().get(values.size() / 2);
  }

  private static Optional<Taken> taken(SweepState s, WaveState w) {
    List<AttemptState> attempts =
        w.trials().stream()
            .map(s::trial)
            .map(TrialState::attempts)
            .flatMap(List::stream)
            .filter(a -> a.startedAt().isPresent() && a.end().isPresent())
            .toList();
    Instant start = s.startedAt().orElseThrow();
    return attempts.stream()
        .map(a -> a.end().orElseThrow().endedAt())
        .max(Comparator.naturalOrder())
        .map(
            last ->
                new Taken(
                    w.wave().name(),
                    attempts.size(),
                    attempts.stream()
                        .mapToDouble(
                            a ->
                                hours(a.startedAt().orElseThrow(), a.end().orElseThrow().endedAt()))
                        .sum(),
                    hours(start, last)));
  }

  private static double hours(Instant from, Instant to) {
    return Hours.of(Duration.between(from, to));
  }
}
