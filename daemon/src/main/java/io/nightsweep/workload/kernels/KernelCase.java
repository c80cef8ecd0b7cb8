package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.cluster.PerTask;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.TaskSettings;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload.LaunchRequest;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The case that a trial measures: the workload's settings, overridden by the config tag's, then by
 * the profile's.
 *
 * @param settings of the kernel and its backend
 * @param ranks over all nodes
 * @param perTask CPUs and GPUs of each rank; by default one GPU for a GPU backend
 */
record KernelCase(Path program, Map<String, String> settings, int ranks, PerTask perTask) {
  /** Path below the installation. */
  static final String PROGRAM = "native/build/nightsweep-kernels";

  private static final String BACKEND = "backend";
  private static final String GPUS = "gpusPerTask";

  private static final Pattern RANKS = Pattern.compile("ranks=(\\d{1,6})");

  /** The program's notation for sizes. */
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([KMGkmg])");

  private static final String SIZE_UNITS = "KMG";
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,30}(\\.\\d{1,30})?");

  KernelCase {
    settings = Map.copyOf(settings);
  }

  static Set<String> kernels() {
    return KernelOptions.kernels();
  }

  /** The settings that a sweep file may have for the kernel. */
  static Set<String> settings(String kernel) {
    TreeSet<String> names = new TreeSet<>(KernelOptions.of(kernel).keySet());
    names.addAll(List.of("kernel", "program", BACKEND));
    names.addAll(TaskSettings.NAMES);
    return names;
  }

  static KernelCase of(LaunchRequest request, Path home) throws UnsupportedTrialException {
    TreeMap<String, String> settings = new TreeMap<>(request.spec().settings());
    settings.putAll(request.configTag().overrides());
    settings.putAll(request.profile().overrides());
    String kernel = settings.getOrDefault("kernel", "");
    if (!kernels().contains(kernel)) {
      throw new UnsupportedTrialException(
          Statement.phrase("unsupported-kernel", kernel, String.join(", ", kernels())));
    }
    if (!request.profile().flags().isEmpty()) {
      throw new UnsupportedTrialException(
          Statement.phrase("unsupported-flags", request.profile().flags().firstKey()));
    }
    if (Backends.isOnGpus(settings.getOrDefault(BACKEND, ""))) {
      settings.putIfAbsent(GPUS, "1");
    }
    for (String option : KernelOptions.of(kernel).keySet()) {
      if (settings.getOrDefault(option, "").contains(",")) {
        throw new UnsupportedTrialException(Statement.phrase("unsupported-cases", option));
      }
    }
    return new KernelCase(
        program(request.spec(), home), settings, ranks(request), TaskSettings.of(settings));
  }

  /** What the job was ordered to run, and where. */
  DocumentAudit.JobOrder order(int nodes, boolean nodesAreHosts) {
    return new DocumentAudit.JobOrder(
        KernelResult.METRIC_CONTRACT,
        "none",
        ranks,
        Math.min(nodes, ranks),
        nodesAreHosts,
        !Backends.isOnGpus(backend()),
        Map.of());
  }

  /**
   * How a record's case differs from the settings; an omitted setting has the program's default.
   */
  Optional<String> difference(KernelResult.Case record) {
    ObjectNode told = JsonNodeFactory.instance.objectNode();
    record.identity().properties().forEach(p -> told.set(p.getKey(), p.getValue()));
    told.put("iterations", record.iterations());
    told.put("trials", record.trials());
    told.put("warmup", record.warmup());
    TreeMap<String, String> ordered = new TreeMap<>();
    KernelOptions.of(settings.getOrDefault("kernel", "")).keySet().stream()
        .filter(settings::containsKey)
        .forEach(name -> ordered.put(field(name), settings.getOrDefault(name, "")));
    ordered.put("kernel", settings.getOrDefault("kernel", ""));
    ordered.put(BACKEND, backend());
    ordered.put("ranks", Integer.toString(ranks));
    ordered.put("metricContract", KernelResult.METRIC_CONTRACT);
    ordered.put(
        "sampling", record.iterations() + "x" + record.trials() + " after " + record.warmup());
    return ordered.entrySet().stream()
        .filter(o -> !isSame(told.path(o.getKey()), o.getValue()))
        .findFirst()
        .map(
            o ->
                "its '"
                    + o.getKey()
                    + "' is "
                    + told.path(o.getKey())
                    + " where "
                    + o.getValue()
                    + " was ordered");
  }

  private String backend() {
    return settings.getOrDefault(BACKEND, "mpi");
  }

  /** The name of a setting in identities. */
  private static String field(String setting) {
    return setting.equals("sizes") ? "bytes" : setting;
  }

  private static boolean isSame(JsonNode told, String ordered) {
    Matcher size = SIZE.matcher(ordered);
    String text = size.matches() ? bytes(size.group(1), size.group(2)) : ordered;
    boolean isNumber = told.isNumber() && NUMBER.matcher(text).matches();
    return isNumber
        ? told.decimalValue().compareTo(new BigDecimal(text)) == 0
        : told.isValueNode() && told.asText().equals(text);
  }

  private static String bytes(String number, String unit) {
    int power = 1 + SIZE_UNITS.indexOf(unit.toUpperCase(Locale.ROOT));
    return new BigInteger(number).shiftLeft(10 * power).toString();
  }

  /** Arguments of {@code nightsweep-kernels}, without {@code --out}. */
  List<String> arguments() {
    String kernel = settings.getOrDefault("kernel", "");
    List<String> arguments = new ArrayList<>(List.of(kernel));
    for (Map.Entry<String, String> option : KernelOptions.of(kernel).entrySet()) {
      Optional<String> value = Optional.ofNullable(settings.get(option.getKey()));
      if (value.isEmpty()) {
        continue;
      }
      if (!KernelOptions.isFlag(option.getKey())) {
        arguments.add(option.getValue());
        arguments.add(value.get());
      } else if (value.get().equals("true")) {
        arguments.add(option.getValue());
      }
    }
    Optional.ofNullable(settings.get(BACKEND))
        .ifPresent(backend -> arguments.addAll(List.of("--backend", backend)));
    return List.copyOf(arguments);
  }

  static Path program(SweepSpec spec, Path home) {
    return home.resolve(spec.settings().getOrDefault("program", PROGRAM));
  }

  private static int ranks(LaunchRequest request) {
    Matcher ranks = RANKS.matcher(request.spec().cell().parallelism());
    return ranks.find() ? Integer.parseInt(ranks.group(1)) : request.spec().cell().nodes().size();
  }
}
