package io.nightsweep.bench;

import io.nightsweep.workload.kernels.KernelResult;
import java.util.Locale;
import java.util.Optional;

/** How far a measured row may be relied on; the best whose conditions it meets. */
enum Tier {
  /**
   * 8 x 64 samples after 32 warm-ups, each node a host of its own with CPUs for all ranks, no
   * anomaly, and products by the processor's own kernels.
   */
  OFFICIAL,
  /** 64 samples at least after a warm-up, and otherwise the same. */
  COMPARABLE,
  /** All other rows: they help to find a cause and belong in no table. */
  DIAGNOSTIC;

  private static final int OFFICIAL_ITERATIONS = 8;
  private static final int OFFICIAL_TRIALS = 64;
  private static final int OFFICIAL_WARMUP = 32;
  private static final int LEAST_SAMPLES = 64;

  /** As tables call it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The tier of a row; absent where it was not measured. */
  static Optional<Tier> of(Row row, Manifest manifest) {
    if (!row.isMeasured()) {
      return Optional.empty();
    }
    KernelResult.Case record = row.record().orElseThrow();
    boolean anomalous = Boolean.TRUE.equals(record.anomaly());
    boolean sound =
        manifest.source(row).filter(s -> hasItsNodes(row, s) && hasItsBlas(record, s)).isPresent();
    if (anomalous || manifest.fault().isPresent() || !sound) {
      return Optional.of(DIAGNOSTIC);
    }
    if (record.iterations() == OFFICIAL_ITERATIONS
        && record.trials() == OFFICIAL_TRIALS
        && record.warmup() == OFFICIAL_WARMUP) {
      return Optional.of(OFFICIAL);
    }
    return Optional.of(
        record.iterations() * record.trials() >= LEAST_SAMPLES && record.warmup() > 0
            ? COMPARABLE
            : DIAGNOSTIC);
  }

  private static boolean hasItsNodes(Row row, Manifest.JobSource source) {
    return source.hosts().stream().distinct().count() == row.shard().nodes()
        && !source.sharesCpus();
  }

  /** What multiplies nothing does not depend on a BLAS. */
  private static boolean hasItsBlas(KernelResult.Case record, Manifest.JobSource source) {
    return source.blasWarning().isEmpty()
        || record.components().stream().allMatch(c -> c.flopsPerSecond() == null);
  }
}
