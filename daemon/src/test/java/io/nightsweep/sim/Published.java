package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The published effects for profiles of the packed catalogs: a profile with the settings of a row's
 * recipe has that row's effect, and one without a row has none.
 */
final class Published {
  private static final String AG = "--xla_gpu_all_gather_combine_threshold_bytes";
  private static final String DEFAULT_AG = "8589934592";
  private static final String RS = "--xla_gpu_reduce_scatter_combine_threshold_bytes";
  private static final String OVERLAP = "--xla_gpu_experimental_parallel_collective_overlap_limit";
  private static final String PRIORITY = "--xla_gpu_enable_highest_priority_async_stream";
  private static final String PERMUTE = "--xla_gpu_collective_permute_decomposer_threshold";
  private static final String PIPELINED = "--xla_gpu_enable_pipelined_";

  private Published() {}

  /** Rows of the table by their settings, in the notation of the packed catalogs. */
  private static Map<Map<String, String>, String> rows(String axis) {
    Map<Map<String, String>, String> rows = new HashMap<>();
    if (axis.equals("FSDP")) {
      rows.put(Map.of(AG, "1073741824"), "G_ag1G_only");
      rows.put(Map.of(AG, "536870912"), "G_ag512M_only");
      rows.put(Map.of(AG, "2147483648"), "G_ag2G_only");
      rows.put(Map.of(AG, "536870912", RS, "536870912"), "G_combine512M");
      rows.put(Map.of(AG, "1073741824", RS, "1073741824"), "combine1G");
      rows.put(Map.of(AG, "2147483648", RS, "2147483648"), "combine2G");
      rows.put(Map.of("NCCL_NCHANNELS_PER_NET_PEER", "8"), "nccl_chan8");
      rows.put(Map.of("--xla_gpu_enable_latency_hiding_scheduler", "true"), "D_LHS");
      rows.put(Map.of(PRIORITY, "true"), "B_async_priority");
      rows.put(Map.of("NCCL_PROTO", "Simple"), "N_nccl_proto_simple");
      rows.put(Map.of("NCCL_BUFFSIZE", "16777216"), "K_nccl_buffsize16M");
      rows.put(Map.of("--xla_gpu_enable_while_loop_double_buffering", "true"), "A_doublebuffer");
      rows.put(Map.of(OVERLAP, "2"), "C_overlap_limit2");
      rows.put(Map.of(OVERLAP, "8"), "J_async_unconstrained");
      rows.put(
          Map.of(
              PIPELINED + "all_gather", "true",
              PIPELINED + "reduce_scatter", "true",
              PIPELINED + "all_reduce", "true"),
          "E_pipelined_all");
    } else {
      rows.put(Map.of(AG, DEFAULT_AG), "restore_ag_default");
      rows.put(Map.of(OVERLAP, "2"), "overlap2");
      rows.put(Map.of(OVERLAP, "4"), "overlap4");
      rows.put(Map.of(OVERLAP, "8"), "overlap8");
      rows.put(Map.of(PRIORITY, "true"), "async_priority");
      rows.put(Map.of(PERMUTE, "1073741824"), "cp_decomp_1G");
      rows.put(Map.of(PERMUTE, "268435456"), "cp_decomp_256M");
      rows.put(Map.of("NCCL_PROTO", "Simple"), "nccl_proto_simple");
      rows.put(Map.of("NCCL_NCHANNELS_PER_NET_PEER", "8"), "nccl_chan8");
      rows.put(Map.of("XLA_PYTHON_CLIENT_MEM_FRACTION", ".95"), "mem95");
      rows.put(Map.of("--xla_gpu_enable_while_loop_double_buffering", "true"), "double_buffer");
      rows.put(Map.of(PIPELINED + "p2p", "true"), "pp_p2p");
      rows.put(Map.of(PIPELINED + "all_reduce", "true"), "pp_all_reduce");
      rows.put(Map.of(PIPELINED + "all_gather", "true"), "pp_all_gather");
    }
    return rows;
  }

  /** By the names of the sweep's own profiles, on the table's first config tag. */
  static Map<String, Response> responses(String parallelism, SweepSpec spec) {
    String axis = axis(parallelism);
    Map<Map<String, String>, String> rows = rows(axis);
    ReplayTable.ReplayCell cell = ReplayTable.cell(axis + "=8", "sgd-v3");
    Map<String, Response> responses = new HashMap<>();
    for (Profile profile : spec.profiles()) {
      Optional.ofNullable(rows.get(settings(profile)))
          .ifPresent(row -> responses.put(profile.name(), response(cell, row)));
    }
    return responses;
  }

  private static Response response(ReplayTable.ReplayCell cell, String row) {
    Response response = cell.responses().get(row);
    if (response == null) {
      throw new IllegalArgumentException("the table has no row " + row);
    }
    return response;
  }

  /**
   * Whether a recipe has the mechanism by which the published winner wins. FSDP: a threshold other
   * than the default splits the all-gather. PP: collectives run at once, up to any limit.
   */
  static boolean isFamily(String parallelism, Map<String, String> flags) {
    return axis(parallelism).equals("FSDP")
        ? !flags.getOrDefault(AG, DEFAULT_AG).equals(DEFAULT_AG)
        : flags.containsKey(OVERLAP);
  }

  /** Whether a recipe has that mechanism at the published winner's value. */
  static boolean isPublishedValue(String parallelism, Map<String, String> flags) {
    return axis(parallelism).equals("FSDP")
        ? flags.getOrDefault(AG, "").equals("1073741824")
        : flags.getOrDefault(OVERLAP, "").equals("2");
  }

  /** Whether effects were published for the cell's first axis. */
  static boolean isPublished(String parallelism) {
    return List.of("FSDP", "PP").contains(axis(parallelism));
  }

  private static String axis(String parallelism) {
    return parallelism.replaceFirst("=.*", "");
  }

  private static Map<String, String> settings(Profile profile) {
    TreeMap<String, String> all = new TreeMap<>(profile.flags());
    all.putAll(profile.env());
    all.putAll(profile.overrides());
    return all;
  }

  /**
   * A threshold between published ones has their effect (according to the table's 384 MiB row); a
   * stack has its best part's effect, as the published stacks nearly do, and fails if a part fails.
   */
  record Surfaces(DrawnSurface drawn, String parallelism) implements Surface {
    @Override
    public double effect(Profile profile, String configTag) {
      if (profile.isBaseline() || profile.name().equals(Profile.BASELINE_NO_ENV)) {
        return 0;
      }
      if (axis(parallelism).equals("FSDP")
          && profile.parts().isEmpty()
          && drawn.effect(profile, configTag) == 0
          && profile.flags().containsKey(AG)
          && Long.parseLong(profile.flags().get(AG)) < 4294967296L) {
        return Math.log1p(profile.flags().containsKey(RS) ? 0.06 : 0.11);
      }
      return profile.parts().isEmpty()
          ? drawn.effect(profile, configTag)
          : profile.parts().stream()
              .mapToDouble(
                  part -> drawn.effect(Profile.of(part, Map.of(), Map.of(), Map.of()), configTag))
              .max()
              .orElse(0);
    }

    @Override
    public double baseline(String configTag) {
      return drawn.baseline(configTag);
    }

    @Override
    public double drift(double hours) {
      return drawn.drift(hours);
    }

    @Override
    public double noise(SplittableRandom random) {
      return drawn.noise(random);
    }

    @Override
    public double disturbance(SurfaceRun run, SplittableRandom random) {
      return drawn.disturbance(run, random);
    }

    @Override
    public Optional<Response.Fails> failure(Profile profile, String configTag) {
      return drawn.failure(profile, configTag);
    }

    @Override
    public double[] steps(SplittableRandom random, int count) {
      return drawn.steps(random, count);
    }
  }
}
