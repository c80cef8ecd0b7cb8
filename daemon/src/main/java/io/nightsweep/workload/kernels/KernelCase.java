package io.nightsweep.workload.kernels;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one case that a trial measures: workload settings, overlaid by the config tag's, overlaid by
 * the profile's.
 *
 * @param arguments of {@code nightsweep-kernels}, without {@code --out}
 * @param ranks over all nodes
 */
record KernelCase(Path program, List<String> arguments, int ranks) {
  private static final Pattern RANKS = Pattern.compile("ranks=(\\d{1,6})");

  /** Settings that every kernel takes, and the option each becomes. */
  private static final Map<String, String> COMMON =
      Map.of(
          "dtype", "--dtype",
          "iterations", "--iters",
          "trials", "--trials",
          "warmup", "--warmup",
          "opsPerSample", "--ops-per-sample");

  private static final Set<String> FLAGS = Set.of("inPlace", "rootCentre");

  /** Settings of one kernel each. */
  private static final Map<String, Map<String, String>> OWN =
      Map.of(
          "topology-allreduce", topology(),
          "allreduce", inPlace(),
          "allgather", inPlace(),
          "reduce-scatter", inPlace(),
          "all-to-all", inPlace(),
          "all-to-allv", Map.of("sizes", "--sizes", "buffer", "--buffer", "spread", "--spread"),
          "broadcast", Map.of("sizes", "--sizes", "buffer", "--buffer", "root", "--root"),
          "send-receive", Map.of("sizes", "--sizes", "buffer", "--buffer"),
          "gemm", Map.of("m", "--m", "n", "--n", "k", "--k", "layout", "--layout"));

  private static Map<String, String> topology() {
    return Map.of(
        "topology", "--topology",
        "width", "--width",
        "height", "--height",
        "rootCentre", "--root-centre",
        "elements", "--elements",
        "chunkBytes", "--chunk-bytes");
  }

  private static Map<String, String> inPlace() {
    return Map.of("sizes", "--sizes", "buffer", "--buffer", "inPlace", "--in-place");
  }

  static Set<String> kernels() {
    return new TreeSet<>(OWN.keySet());
  }

  /** What a sweep file may set for the kernel. */
  static Set<String> settings(String kernel) {
    TreeSet<String> names = new TreeSet<>(COMMON.keySet());
    names.addAll(OWN.getOrDefault(kernel, Map.of()).keySet());
    names.addAll(List.of("kernel", "program"));
    return names;
  }

  static KernelCase of(Request request, Path home) throws UnsupportedTrialException {
    TreeMap<String, String> settings = new TreeMap<>(request.spec().settings());
    settings.putAll(request.configTag().overrides());
    settings.putAll(request.profile().overrides());
    String kernel = settings.getOrDefault("kernel", "");
    Map<String, String> own = OWN.get(kernel);
    if (own == null) {
      throw new UnsupportedTrialException(
          "no kernel '" + kernel + "'; there are " + String.join(", ", OWN.keySet()));
    }
    if (settings.getOrDefault("sizes", "").contains(",")) {
      throw new UnsupportedTrialException(
          "a cell measures one size, since sizes are never averaged; make a config tag of each");
    }
    if (!request.profile().flags().isEmpty()) {
      throw new UnsupportedTrialException(
          "kernels know no flags such as " + request.profile().flags().firstKey());
    }
    List<String> arguments = new ArrayList<>(List.of(kernel));
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String option = COMMON.getOrDefault(setting.getKey(), own.get(setting.getKey()));
      if (option == null) {
        continue;
      }
      if (!FLAGS.contains(setting.getKey())) {
        arguments.add(option);
        arguments.add(setting.getValue());
      } else if (setting.getValue().equals("true")) {
        arguments.add(option);
      }
    }
    return new KernelCase(program(request.spec(), home), List.copyOf(arguments), ranks(request));
  }

  static Path program(SweepSpec spec, Path home) {
    return home.resolve(spec.settings().getOrDefault("program", "native/build/nightsweep-kernels"));
  }

  private static int ranks(Request request) {
    Matcher ranks = RANKS.matcher(request.spec().cell().parallelism());
    return ranks.find() ? Integer.parseInt(ranks.group(1)) : request.spec().cell().nodes().size();
  }
}
