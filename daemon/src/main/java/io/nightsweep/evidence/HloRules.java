package io.nightsweep.evidence;

import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Rules for findings from a compiled step; pure. */
final class HloRules {
  private static final String WHILE_LOOP = "while-loop";
  private static final String ASYNC = "async-collective";

  private HloRules() {}

  static List<Finding> of(
      HloReading module,
      Optional<SortedMap<String, String>> options,
      List<Profile> candidates,
      Citation cite) {
    List<Path> file = List.of(module.file());
    List<Finding> findings = new ArrayList<>();
    findings.add(mechanisms(module, cite, file));
    collectives(module, cite, file).ifPresent(findings::add);
    threshold(module, CollectiveKind.ALL_GATHER, options, candidates, cite)
        .ifPresent(findings::add);
    threshold(module, CollectiveKind.REDUCE_SCATTER, options, candidates, cite)
        .ifPresent(findings::add);
    threshold(module, CollectiveKind.COLLECTIVE_PERMUTE, options, candidates, cite)
        .ifPresent(findings::add);
    findings.addAll(synchronous(module, cite, file));
    pipelined(module, cite, file).ifPresent(findings::add);
    return findings;
  }

  /**
   * The compiler's options, without those for paths of its files, such as a cache that JAX
   * configures: they are not for tuning.
   */
  static Finding flags(SortedMap<String, String> options, Path file, Citation cite) {
    String named =
        options.entrySet().stream()
            .filter(e -> e.getKey().startsWith("xla_gpu_") && !e.getValue().startsWith("/"))
            .map(e -> e.getKey() + "=" + e.getValue())
            .limit(40)
            .collect(Collectors.joining(" "));
    return cite.finding(
        Finding.FLAGS,
        named.isEmpty()
            ? Statement.phrase("own-defaults")
            : Statement.phrase("compiled-with", named),
        List.of(file),
        figures(options));
  }

  /** The number of options, and the values of numeric and boolean GPU options. */
  private static Map<String, Double> figures(SortedMap<String, String> options) {
    TreeMap<String, Double> figures = new TreeMap<>();
    options.forEach(
        (option, value) -> {
          if (option.startsWith("xla_gpu_")) {
            number(value).ifPresent(n -> figures.put(option, n));
          }
        });
    figures.put("options", (double) options.size());
    return figures;
  }

  private static Optional<Double> number(String value) {
    return switch (value) {
      case "true" -> Optional.of(1.0);
      case "false" -> Optional.of(0.0);
      default ->
          value.matches("-?\\d{1,18}(\\.\\d{1,18})?")
              ? Optional.of(Double.valueOf(value))
              : Optional.empty();
    };
  }

  /** The runs of each mechanism in one step; a loop of unknown length counts once. */
  private static Finding mechanisms(HloReading module, Citation cite, List<Path> file) {
    TreeMap<String, Double> seen = new TreeMap<>();
    for (Collective c : module.collectives()) {
      double runs = (double) c.count() * Math.max(1, c.runs().orElse(1));
      seen.merge(c.kind().opcode(), runs, Double::sum);
      if (c.pairing() != Collective.Pairing.NONE) {
        seen.merge(ASYNC, runs, Double::sum);
      }
    }
    if (module.loops() > 0) {
      seen.put(WHILE_LOOP, (double) module.loops());
    }
    String words =
        seen.entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s (%.0f)", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", "));
    return cite.finding(
        Finding.MECHANISMS,
        words.isEmpty() ? Statement.phrase("holds-nothing") : Statement.phrase("holds", words),
        file,
        seen);
  }

  private static Optional<Finding> collectives(HloReading module, Citation cite, List<Path> file) {
    Map<CollectiveKind, Double> bytes = new EnumMap<>(CollectiveKind.class);
    module.collectives().forEach(c -> bytes.merge(c.kind(), c.receivedBytesPerStep(), Double::sum));
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    TreeMap<String, Double> figures = new TreeMap<>();
    bytes.forEach((kind, sum) -> figures.put(kind.opcode() + " bytes", sum));
    List<Statement> each =
        bytes.entrySet().stream()
            .sorted(Map.Entry.<CollectiveKind, Double>comparingByValue().reversed())
            .map(
                e ->
                    Statement.phrase(
                        "largest",
                        e.getKey().opcode() + " " + bytes(e.getValue()),
                        bytes((double) module.of(e.getKey()).getFirst().bytes())))
            .toList();
    return Optional.of(
        cite.finding(
            Finding.COLLECTIVES,
            Statement.phrase("receives", Statement.row(", ", each)),
            file,
            figures));
  }

  /**
   * Which candidate values of a threshold can change the existing collectives. Tensors are combined
   * up to the threshold, so one below the present combined size splits a collective.
   */
  private static Optional<Finding> threshold(
      HloReading module,
      CollectiveKind kind,
      Optional<SortedMap<String, String>> options,
      List<Profile> candidates,
      Citation cite) {
    List<Collective> all = module.of(kind);
    String flag = thresholdFlag(kind);
    TreeMap<String, Long> values = new TreeMap<>();
    for (Profile p : candidates) {
      String value = p.flags().getOrDefault("--" + flag, "");
      if (value.matches("\\d{1,18}")) {
        values.put(p.name(), Long.parseLong(value));
      }
    }
    if (all.isEmpty() || values.isEmpty()) {
      return Optional.empty();
    }
    Collective largest = all.getFirst();
    long smallest = all.getLast().bytes();
    String below = named(values, v -> v < largest.bytes());
    String above = named(values, v -> v >= largest.bytes());
    TreeMap<String, Double> figures = new TreeMap<>();
    figures.put("largest bytes", (double) largest.bytes());
    // The second figure has the catalogs' name of the collective, since a threshold is compared
    // only with its own collective.
    figures.put(kind.opcode(), (double) largest.bytes());
    figures.put("smallest bytes", (double) smallest);
    figures.put("tensors in the largest", (double) largest.operands());
    options
        .map(o -> o.getOrDefault(flag, ""))
        .filter(v -> v.matches("\\d{1,18}"))
        .ifPresent(v -> figures.put("threshold bytes now", Double.parseDouble(v)));
    String verb = kind == CollectiveKind.COLLECTIVE_PERMUTE ? "decompose" : "split";
    return Optional.of(
        cite.finding(
            Finding.THRESHOLD,
            Statement.phrase(
                "threshold",
                kind.opcode(),
                bytes((double) smallest),
                bytes((double) largest.bytes()),
                largest.operands(),
                largest.name(),
                above.isEmpty()
                    ? below.isEmpty()
                        ? Statement.phrase("would-" + verb)
                        : Statement.phrase(verb, below)
                    : below.isEmpty()
                        ? Statement.phrase("none-" + verb + "-above", above)
                        : Statement.phrase(verb + "-above", below, above)),
            List.of(module.file()),
            figures));
  }

  private static String thresholdFlag(CollectiveKind kind) {
    return switch (kind) {
      case ALL_GATHER -> "xla_gpu_all_gather_combine_threshold_bytes";
      case REDUCE_SCATTER -> "xla_gpu_reduce_scatter_combine_threshold_bytes";
      case COLLECTIVE_PERMUTE -> "xla_gpu_collective_permute_decomposer_threshold";
      default -> throw new IllegalArgumentException(kind + " has no threshold");
    };
  }

  private static String named(SortedMap<String, Long> values, LongPredicate which) {
    return values.entrySet().stream()
        .filter(e -> which.test(e.getValue()))
        .sorted(Comparator.comparing(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }

  /** Blocking collectives inside loops, which cost a rendezvous in every iteration. */
  private static List<Finding> synchronous(HloReading module, Citation cite, List<Path> file) {
    List<Finding> findings = new ArrayList<>();
    for (CollectiveKind kind : CollectiveKind.values()) {
      List<Collective> blocking =
          module.of(kind).stream().filter(c -> c.blocks() && c.inLoop()).toList();
      if (!blocking.isEmpty()) {
        double runs =
            blocking.stream()
                .mapToDouble(c -> (double) c.count() * Math.max(1, c.runs().orElse(1)))
                .sum();
        findings.add(
            cite.finding(
                Finding.SYNCHRONOUS,
                Statement.phrase(
                    blocking.getFirst().sync() ? "synchronous-marked" : "synchronous-unsplit",
                    kind.opcode(),
                    String.format(Locale.ROOT, "%.0f", runs),
                    blocking.getFirst().name(),
                    blocking.getFirst().computation()),
                file,
                Map.of(kind.opcode() + " runs", runs)));
      }
    }
    return findings;
  }

  private static Optional<Finding> pipelined(HloReading module, Citation cite, List<Path> file) {
    List<Collective> crossing =
        module.collectives().stream()
            .filter(c -> c.pairing() == Collective.Pairing.CROSS_ITERATION || c.pipelined())
            .toList();
    if (crossing.isEmpty()) {
      return Optional.empty();
    }
    TreeMap<String, Double> figures = new TreeMap<>();
    crossing.forEach(c -> figures.merge(c.kind().opcode(), (double) c.count(), Double::sum));
    return Optional.of(
        cite.finding(
            Finding.PIPELINED,
            Statement.phrase("crossing", String.join(", ", figures.keySet())),
            file,
            figures));
  }

  static String bytes(double bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }
}
