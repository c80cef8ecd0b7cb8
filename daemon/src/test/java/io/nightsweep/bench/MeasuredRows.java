package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.KernelResult;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of one case on two nodes, as the job that measured the case writes them. */
final class MeasuredRows {
  static final ShardKey KEY = new ShardKey("cpu", "mpi", 2, 2, "allreduce");

  final ObjectNode identity =
      BenchJson.MAPPER.createObjectNode().put("kernel", "allreduce").put("sampling", "2x3x2");
  final PlannedCase planned =
      new PlannedCase(
          "a",
          List.of("sizes"),
          false,
          identity,
          Optional.empty(),
          new CaseProjection(7, 7, CaseProjection.Basis.MODELLED));
  final Shard shard = new Shard(KEY, 0, List.of(planned), 8);

  /** A row that took this many seconds, half of them timed. */
  CaseRow row(int round, double seconds, Study.Sampling sampling) {
    return row(round, seconds, sampling, null);
  }

  CaseRow row(int round, double seconds, Study.Sampling sampling, @Nullable Boolean anomaly) {
    return row(round, seconds, sampling, anomaly, List.of());
  }

  /** A row that reports operations per second. */
  CaseRow product(Study.Sampling sampling) {
    KernelResult.Component gemm =
        new KernelResult.Component(
            "gemm", 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, null, null, null, 1e9, null, 0.5, List.of(),
            List.of());
    return row(1, 1, sampling, null, List.of(gemm));
  }

  private CaseRow row(
      int round,
      double seconds,
      Study.Sampling sampling,
      @Nullable Boolean anomaly,
      List<KernelResult.Component> components) {
    KernelResult.Case record =
        new KernelResult.Case(
            "a",
            identity,
            "measured",
            null,
            0L,
            BenchJson.MAPPER.createObjectNode(),
            BenchJson.MAPPER.createObjectNode(),
            sampling.iterations(),
            sampling.trials(),
            sampling.warmup(),
            BenchJson.MAPPER
                .createObjectNode()
                .put("elapsedSeconds", seconds)
                .put("timedSeconds", seconds / 2),
            anomaly,
            components);
    return CaseRow.of(
        shard,
        new RunKey(CaseRow.ONE_SIDE, round, 1),
        Optional.of("17"),
        planned,
        CaseDisposition.MEASURED,
        Optional.empty(),
        Optional.of(record));
  }

  CaseRow lost(int round) {
    return CaseRow.of(
        shard,
        new RunKey(CaseRow.ONE_SIDE, round, 1),
        Optional.empty(),
        planned,
        CaseDisposition.FAILED,
        Optional.of(CaseCause.told("the program ended")),
        Optional.empty());
  }
}
