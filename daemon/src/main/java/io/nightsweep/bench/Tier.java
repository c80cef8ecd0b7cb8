package io.nightsweep.bench;

import io.nightsweep.workload.kernels.KernelResult;
import java.util.Locale;
import java.util.Optional;

/** How reliable a measured row is; a row gets the best tier whose conditions it meets. */
enum Tier {
  /**
   * 8 x 64 samples after 32 warm-ups, each node a separate host with CPUs for all ranks, no
   * anomaly, and matrix products by the BLAS kernels for this processor.
   */
  OFFICIAL,
  /** At least 64 samples after a warm-up; the other conditions as above. */
  COMPARABLE,
  /** All other rows: useful for finding a cause, but not for tables. */
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
  static Optional<Tier> of(CaseRow row, Manifest manifest) {
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

  private static boolean hasItsNodes(CaseRow row, Manifest.JobSource source) {
    return source.hosts().stream().distinct().count() == row.shard().nodes()
        && !source.sharesCpus();
  }

  /** A case without matrix products does not depend on a BLAS. */
  private static boolean hasItsBlas(KernelResult.Case record, Manifest.JobSource source) {
    return source.blasWarning().isEmpty()
        || record.components().stream().allMatch(c -> c.flopsPerSecond() == null);
  }
}
