package io.nightsweep.workload.kernels;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The settings of each kernel, named as in identities; the command-line option is the same name in
 * kebab case.
 */
final class KernelOptions {
  private static final Pattern UPPER = Pattern.compile("([A-Z])");

  private static final String COMMON = "dtype iterations trials warmup opsPerSample";

  private static final String EXPERTS =
      "tokens phase tokenSpread hidden experts topk routing step placement redundantExperts mode"
          + " contract contractVersion combineDtype resource budget activation gpusPerNode"
          + " scaleUpDomain";

  private static final Map<String, String> OWN =
      Map.ofEntries(
          Map.entry("topology-allreduce", "topology width height rootCentre elements chunkBytes"),
          Map.entry("allreduce", "sizes buffer inPlace operator"),
          Map.entry("allgather", "sizes buffer inPlace"),
          Map.entry("reduce-scatter", "sizes buffer inPlace operator"),
          Map.entry("all-to-all", "sizes buffer inPlace"),
          Map.entry("all-to-allv", "sizes buffer spread"),
          Map.entry("broadcast", "sizes buffer root"),
          Map.entry("send-receive", "sizes buffer"),
          Map.entry("reduce", "sizes buffer root operator"),
          Map.entry("gather", "sizes buffer root"),
          Map.entry("scatter", "sizes buffer root"),
          Map.entry("gemm", "m n k layout"),
          Map.entry("ep", EXPERTS),
          Map.entry("ep-pipeline", EXPERTS + " variant batches intermediate"),
          Map.entry("ping-pong", "sizes buffer"),
          Map.entry("message-rate", "sizes window buffer"),
          Map.entry("pair-matrix", "sizes buffer"),
          Map.entry("copy", "sizes by buffer"),
          Map.entry("tp-layer", "phase tokens cachedTokens hidden heads intermediate variant"));

  /** Kernels that measure a limit instead of a cell; they have only one element type. */
  private static final Set<String> LIMITS =
      Set.of("ping-pong", "message-rate", "pair-matrix", "copy");

  private static final Set<String> FLAGS = Set.of("inPlace", "rootCentre");

  private KernelOptions() {}

  static Set<String> kernels() {
    TreeSet<String> kernels = new TreeSet<>(OWN.keySet());
    kernels.removeAll(LIMITS);
    return kernels;
  }

  /** All kernels: those of cells and those that measure a limit. */
  static Set<String> measurable() {
    return new TreeSet<>(OWN.keySet());
  }

  /** The fields of a case's identity that a control document may set. */
  static Set<String> parameters(String kernel) {
    TreeSet<String> names = new TreeSet<>(of(kernel).keySet());
    names.removeAll(Set.of("iterations", "trials", "warmup"));
    if (names.remove("sizes")) {
      names.add("bytes");
    }
    if (LIMITS.contains(kernel)) {
      names.remove("dtype");
    }
    return names;
  }

  /** Options by setting; empty for an unknown kernel. */
  static Map<String, String> of(String kernel) {
    Map<String, String> options = new TreeMap<>();
    Optional.ofNullable(OWN.get(kernel)).stream()
        .flatMap(own -> Arrays.stream((COMMON + " " + own).split(" ", -1)))
        .forEach(name -> options.put(name, option(name)));
    return options;
  }

  /** Whether the setting is given by its option alone, without a value. */
  static boolean isFlag(String setting) {
    return FLAGS.contains(setting);
  }

  private static String option(String setting) {
    return setting.equals("iterations")
        ? "--iters"
        : "--"
            + UPPER
                .matcher(setting)
                .replaceAll(upper -> "-" + upper.group(1).toLowerCase(Locale.ROOT));
  }
}
