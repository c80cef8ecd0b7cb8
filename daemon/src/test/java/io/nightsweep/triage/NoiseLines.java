package io.nightsweep.triage;

import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Lines of healthy training jobs, including benign warnings; the same for each seed. */
public final class NoiseLines {
  private static final List<Function<Random, String>> ORDINARY =
      List.of(
          r -> "I0601 03:12:22.%06d 140 pjrt_client.cc:%d] buffer donated".formatted(n(r), n(r)),
          r -> "Config param attention_%d: dot_product".formatted(n(r)),
          r -> "Config param checkpoint_period: %d".formatted(n(r)),
          r -> "Config param enable_checkpointing: False",
          r -> "WARNING:absl:shard %d of %d is read again from the cache".formatted(n(r), n(r)),
          r -> "W gemm_fusion_autotuner.cc:%d] slow tile %d".formatted(n(r), n(r)),
          r -> "XLA_PYTHON_CLIENT_MEM_FRACTION=.%d".formatted(n(r)),
          r -> "NCCL_IB_TIMEOUT=%d".formatted(n(r)),
          r -> "NCCL_IB_RETRY_CNT=7",
          r -> "SLURM_JOB_END_TIME=%d".formatted(n(r)),
          r -> "coordinator at n1:%d, heartbeat every 10 s, timeout 100 s".formatted(n(r)),
          r -> "gc: freed %d objects, oldest killed by reference count".formatted(n(r)),
          r -> "memory pool %d holds %d MiB, no limit reached".formatted(n(r), n(r)),
          r -> "hlo_rematerialization.cc:%d] can reduce memory use by %d".formatted(n(r), n(r)),
          r -> "flag --xla_gpu_enable_thing_%d is set by the image".formatted(n(r)),
          r -> "GET https://github.com/some/repo 200 in %d ms".formatted(n(r)),
          r -> "",
          r -> "\u001b[32mok\u001b[0m loss scale %d, 中文 ünï".formatted(n(r)));

  private static final List<Function<Random, String>> BENIGN =
      List.of(
          r ->
              "failed call to cuInit: INTERNAL: CUDA error: Failed call to cuInit: UNKNOWN ERROR (303)",
          r -> "WARNING: AMD GPU device(s) is/are in a low-power state. Check power control",
          r -> "OCI runtime exec failed: exec failed: container %d".formatted(n(r)),
          r -> "Cannot read CPU core %d".formatted(n(r)),
          r -> "default TPU version: jellyfish",
          r -> "No device identifiers found",
          r ->
              "bfc_allocator.cc:310] Allocator (GPU_0_bfc) ran out of memory trying to allocate"
                  + " 2.20GiB. The caller indicates that this is not a failure",
          r -> "RESOURCE_EXHAUSTED: Received message larger than max (%d vs. 4)".formatted(n(r)));

  /**
   * Warnings that also say that a communicator is being made, which is news about a hanging job.
   */
  private static final List<Function<Random, String>> OF_COMMUNICATORS =
      List.of(
          r ->
              "n1:140:%d [0] NCCL WARN MSCCL++: Feature not enabled. ENABLE_MSCCLPP must be defined at compile-time"
                  .formatted(n(r)),
          r ->
              "n1:140:%d [0] rccl_wrap.cc:90 NCCL WARN LL cutoff points not detected for a supported arch gfx950"
                  .formatted(n(r)));

  private final Random random;
  private final boolean ofCommunicators;

  public NoiseLines(long seed, boolean ofCommunicators) {
    this.random = new Random(seed);
    this.ofCommunicators = ofCommunicators;
  }

  public String next() {
    int kind = random.nextInt(100);
    List<Function<Random, String>> from =
        kind < 85 ? ORDINARY : kind < 93 || !ofCommunicators ? BENIGN : OF_COMMUNICATORS;
    return prefix() + from.get(random.nextInt(from.size())).apply(random);
  }

  /** The log's lines in order, with about this many lines of noise for each. */
  String around(String log, int each) {
    StringBuilder mixed = new StringBuilder();
    List<String> lines = log.lines().toList();
    for (String line : lines) {
      int before = random.nextInt(each + 1);
      noise(mixed, before);
      mixed.append(line).append('\n');
      noise(mixed, each - before);
    }
    return mixed.toString();
  }

  private void noise(StringBuilder mixed, int count) {
    for (int i = 0; i < count; i++) {
      mixed.append(next()).append('\n');
    }
  }

  private String prefix() {
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 ->
          "\u001b[36m(MaxTextTrainerActor pid=%d, ip=10.0.0.%d)\u001b[0m "
              .formatted(random.nextInt(99999), random.nextInt(255));
      default -> "%d: ".formatted(random.nextInt(4096));
    };
  }

  private static int n(Random random) {
    return random.nextInt(1_000_000);
  }
}
