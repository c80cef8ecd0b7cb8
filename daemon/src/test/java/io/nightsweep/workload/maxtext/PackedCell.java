package io.nightsweep.workload.maxtext;

import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workload;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** Jobs of a cell of the packed plan and catalogs, with three profiles from a user. */
final class PackedCell {
  private PackedCell() {}

  /**
   * @param settings further settings of the workload, such as {@code comparePrograms: false}
   */
  static Workload.LaunchRequest request(
      Path checkout, String settings, String profile, Purpose purpose, int repetition)
      throws Exception {
    SweepSpec spec =
        SweepFile.parse(
                "sweep.yaml",
                """
                model: ds
                parallelism: FSDP=2
                slot: {nodelist: "n[1-2]"}
                workload: {kind: maxtext, repository: "%s"%s}
                profiles:
                  own-nccl: {env: {NCCL_PROTO: LL}}
                  own-both: {flags: {--xla_gpu_enable_pipelined_p2p: true}, env: {NCCL_PROTO: LL}}
                  own-cache: {overrides: {jax_cache_dir: mine}}
                plan: xla-tuning
                budget: {jobs: 60}
                playbook: maxtext-rocm
                """
                    .formatted(checkout, settings.isEmpty() ? "" : ", " + settings),
                Resources.beside(Path.of("nowhere/sweep.yaml")))
            .onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    TrialId id = new TrialId(1);
    return new Workload.LaunchRequest(
        spec,
        new Trial(id, "w", 1, purpose, profile, spec.primaryTag().name(), repetition),
        spec.profile(profile).orElseThrow(),
        spec.primaryTag(),
        new AttemptId(id, 1),
        "ns-s-t0001a1",
        checkout.resolve("jobs/t0001a1/out"));
  }
}
