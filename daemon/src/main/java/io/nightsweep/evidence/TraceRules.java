package io.nightsweep.evidence;

import io.nightsweep.evidence.TraceReading.Device;
import io.nightsweep.evidence.TraceReading.Kernel;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Statement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Rules for findings about the time of a profiled window; pure. Figures are means over the devices.
 */
final class TraceRules {
  private static final int KERNELS = 8;

  private TraceRules() {}

  static List<Finding> of(List<TraceReading> traces, Citation cite) {
    List<Device> devices = traces.stream().flatMap(t -> t.devices().stream()).toList();
    if (devices.isEmpty()) {
      return List.of();
    }
    List<Path> files = traces.stream().map(TraceReading::file).toList();
    TreeMap<String, Double> window = new TreeMap<>();
    double span = mean(devices, Device::span);
    double exposed = mean(devices, Device::exposed);
    double compute = mean(devices, Device::compute);
    window.put("window", span);
    window.put("compute", compute);
    window.put("hidden communication", mean(devices, Device::collective) - exposed);
    window.put("exposed communication", exposed);
    window.put("copies", mean(devices, Device::copy));
    window.put("idle", mean(devices, Device::idle));
    List<Finding> findings = new ArrayList<>();
    findings.add(
        cite.finding(
            Finding.BREAKDOWN,
            Statement.phrase(
                "breakdown",
                number("%.3f", span),
                devices.size(),
                percent(compute / span),
                percent(exposed / span),
                percent(window.get("copies") / span),
                percent(window.get("idle") / span)),
            files,
            window));
    Map<Route, Double> routes = routes(devices, span, exposed);
    Map<String, Double> costs = costs(routes, devices, span, compute);
    findings.add(dominant(costs, cite, files));
    communication(routes, cite, files).ifPresent(findings::add);
    findings.add(exposed(devices, span, exposed, cite, files));
    findings.add(kernels(traces, cite, files));
    return findings;
  }

  /**
   * Exposed communication as shares of the window, split by kind and reach in proportion to their
   * own times.
   */
  private static Map<Route, Double> routes(List<Device> devices, double span, double exposed) {
    TreeMap<Route, Double> seconds = new TreeMap<>();
    devices.forEach(d -> d.byRoute().forEach((r, s) -> seconds.merge(r, s, Double::sum)));
    double all = seconds.values().stream().mapToDouble(s -> s).sum();
    seconds.replaceAll((r, s) -> exposed * s / all / span);
    return seconds;
  }

  private static Map<String, Double> costs(
      Map<Route, Double> routes, List<Device> devices, double span, double compute) {
    TreeMap<String, Double> costs = new TreeMap<>();
    routes.forEach((r, share) -> costs.merge(r.kind().opcode(), share, Double::sum));
    costs.put("compute", compute / span);
    costs.put("idle", mean(devices, Device::idle) / span);
    costs.put("copies", mean(devices, Device::copy) / span);
    return costs;
  }

  private static Optional<Finding> communication(
      Map<Route, Double> routes, Citation cite, List<Path> files) {
    TreeMap<String, Double> shares = new TreeMap<>();
    routes.forEach((route, share) -> shares.put(route.toString(), share));
    return shares.isEmpty()
        ? Optional.empty()
        : Optional.of(
            cite.finding(
                Finding.COMMUNICATION,
                Statement.phrase(
                    "communication-by-kind",
                    shares.entrySet().stream()
                        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                        .map(e -> e.getKey() + " " + percent(e.getValue()) + " %")
                        .collect(Collectors.joining(", "))),
                files,
                shares));
  }

  private static Finding dominant(Map<String, Double> costs, Citation cite, List<Path> files) {
    // Compute is the purpose of the step, so it is dominant only if no other cost is worth
    // reducing.
    Map.Entry<String, Double> overhead =
        costs.entrySet().stream()
            .filter(e -> !e.getKey().equals("compute"))
            .max(Map.Entry.comparingByValue())
            .orElseThrow();
    boolean worth = overhead.getValue() >= WORTH_HUNTING;
    String name = worth ? overhead.getKey() : "compute";
    double share = costs.getOrDefault(name, 0.0);
    return cite.finding(
        Finding.DOMINANT,
        Statement.phrase(worth ? "costs-most" : "nothing-else", name, percent(share)),
        files,
        Map.of(name, share));
  }

  /** A cost with a smaller share cannot give the gains that a sweep looks for. */
  private static final double WORTH_HUNTING = 0.05;

  private static Finding exposed(
      List<Device> devices, double span, double exposed, Citation cite, List<Path> files) {
    double collective = mean(devices, Device::collective);
    double worst = devices.stream().mapToDouble(d -> d.share(d.exposed())).max().orElse(0);
    return cite.finding(
        Finding.EXPOSED,
        Statement.phrase(
            "exposed",
            percent(collective / span),
            percent(collective > 0 ? (collective - exposed) / collective : 0),
            percent(exposed / span),
            percent(worst)),
        files,
        Map.of("share", exposed / span, "worst device", worst));
  }

  private static Finding kernels(List<TraceReading> traces, Citation cite, List<Path> files) {
    Map<String, Double> seconds =
        traces.stream()
            .flatMap(t -> t.kernels().stream())
            .collect(
                Collectors.groupingBy(
                    Kernel::name, TreeMap::new, Collectors.summingDouble(Kernel::seconds)));
    TreeMap<String, Double> top = new TreeMap<>();
    seconds.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(KERNELS)
        .forEach(e -> top.put(e.getKey(), e.getValue()));
    String words =
        top.entrySet().stream()
            .sorted(Comparator.comparing(Map.Entry<String, Double>::getValue).reversed())
            .map(e -> String.format(Locale.ROOT, "%s %.4f s", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", "));
    return cite.finding(Finding.KERNELS, Statement.phrase("kernels", words), files, top);
  }

  private static String percent(double share) {
    return number("%.1f", 100 * share);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static double mean(List<Device> devices, ToDoubleFunction<Device> of) {
    return devices.stream().mapToDouble(of).average().orElse(0);
  }
}
