package io.nightsweep.sim;

import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A workload that measures what the surface says, disturbed as the surface says. */
public final class SimWorkload implements Workload {
  private final Surface surface;
  private final SimCluster cluster;
  private final String sweep;
  private final Instant nightfall;
  private final long seed;

  public SimWorkload(
      Surface surface, SimCluster cluster, String sweep, Instant nightfall, long seed) {
    this.surface = surface;
    this.cluster = cluster;
    this.sweep = sweep;
    this.nightfall = nightfall;
    this.seed = seed;
  }

  @Override
  public Launch launch(Request request) {
    return new Launch.Payload("true", 1, Map.of(), Optional.empty(), Optional.empty());
  }

  @Override
  public Reading read(Request request, Path log) {
    return new Reading(14, 15, Optional.of(measure(request)), new Effective.AsScheduled());
  }

  @Override
  public List<Problem> preflight(SweepSpec spec) {
    return List.of();
  }

  private Measurement measure(Request request) {
    // Seeded by the attempt, so that a replayed night sees what the first one saw.
    SplittableRandom random =
        new SplittableRandom(
            seed * 1_000_003L
                + request.attempt().trial().number() * 31L
                + request.attempt().attempt());
    String tag = request.configTag().name();
    String jobName = "ns-" + sweep + "-" + request.attempt();
    double hours = Duration.between(nightfall, cluster.startOf(jobName)).toMillis() / 3_600_000.0;
    double log =
        surface.effect(request.profile(), tag) + surface.drift(hours) + surface.noise(random);
    double sign = request.spec().metric().better() == Metric.Better.HIGHER ? 1 : -1;
    double value = surface.baseline(tag) * Math.exp(sign * log);
    return new Measurement(value, List.of(), 9, 14, new TreeMap<>());
  }
}
