package io.nightsweep.evidence;

import io.nightsweep.evidence.TraceReading.Device;
import io.nightsweep.evidence.TraceReading.Kernel;
import io.nightsweep.evidence.TraceReading.Stream;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums up a trace while its events are read; times in picoseconds. */
final class TraceBuilder implements Closeable {
  private static final double PICO = 1e-12;
  private static final int MOST_KERNELS = 1 << 16;
  private static final int TOP = 25;
  private static final String OTHERS = "(others)";

  private final HloReading.Names names;
  private final Map<String, DeviceSum> devices = new HashMap<>();
  private final List<Device> closed = new ArrayList<>();
  private final Map<String, KernelSum> kernels = new HashMap<>();

  /** The kind of an event. */
  private enum Sort {
    COLLECTIVE,
    COMPUTE,
    COPY,
    /** A container: its time is that of the events inside it. */
    CONTAINER
  }

  /**
   * @param names of the module's collectives, since their instructions need not be named after the
   *     opcode
   */
  TraceBuilder(HloReading.Names names) {
    this.names = names;
  }

  void add(String device, String stream, String name, String hloOp, long start, long duration) {
    KernelSum kernel = kernel(name, hloOp);
    if (kernel.sort == Sort.CONTAINER || duration <= 0) {
      return;
    }
    kernel.duration += duration;
    kernel.runs++;
    DeviceSum sum = devices.computeIfAbsent(device, d -> new DeviceSum());
    sum.streams.computeIfAbsent(stream, s -> new StreamSum()).add(kernel.sort, start, duration);
    long end = start + duration;
    sum.busy.add(start, end);
    switch (kernel.sort) {
      case COLLECTIVE -> {
        sum.collective.add(start, end);
        sum.byRoute
            .computeIfAbsent(kernel.route.orElseThrow(), k -> new Intervals())
            .add(start, end);
      }
      case COMPUTE -> sum.compute.add(start, end);
      case COPY, CONTAINER -> {}
    }
  }

  /**
   * Whether the kind of an event depends on its instruction, since the kernel's own name may be
   * generic.
   */
  static boolean needsInstruction(String name) {
    return isCommunicationKernel(name);
  }

  /** Sums up the devices of a plane and frees their intervals. */
  void closePlane() {
    new TreeMap<>(devices).forEach((name, sum) -> closed.add(device(name, sum)));
    devices.clear();
  }

  boolean isEmpty() {
    return devices.isEmpty() && closed.isEmpty();
  }

  TraceReading build(Path file) {
    closePlane();
    List<Kernel> top =
        kernels.values().stream().collect(Collectors.groupingBy(k -> k.name)).values().stream()
            .map(TraceBuilder::sum)
            .filter(k -> k.runs() > 0)
            .sorted(Comparator.comparingDouble(Kernel::seconds).reversed())
            .limit(TOP)
            .toList();
    return new TraceReading(file, closed, top);
  }

  /** Combines the runs of a generic kernel for several instructions of one kind. */
  private static Kernel sum(List<KernelSum> parts) {
    return new Kernel(
        parts.getFirst().name,
        parts.stream().mapToLong(p -> p.duration).sum() * PICO,
        parts.stream().mapToLong(p -> p.runs).sum(),
        parts.stream().map(p -> p.route.map(Route::kind)).distinct().count() == 1
            ? parts.getFirst().route.map(Route::kind)
            : Optional.of(CollectiveKind.OTHER));
  }

  private static Device device(String name, DeviceSum d) {
    Intervals busy = d.busy;
    long span = busy.span();
    TreeMap<Route, Double> byRoute = new TreeMap<>();
    d.byRoute.forEach((route, intervals) -> byRoute.put(route, intervals.total() * PICO));
    long collective = d.collective.total();
    long compute = d.compute.total();
    long hidden = d.collective.overlap(d.compute);
    long all = busy.total();
    Device device =
        new Device(
            name,
            span * PICO,
            collective * PICO,
            compute * PICO,
            (collective - hidden) * PICO,
            (all - (collective + compute - hidden)) * PICO,
            (span - all) * PICO,
            byRoute,
            d.streams.entrySet().stream()
                .map(e -> stream(e.getKey(), e.getValue(), span))
                .sorted(Comparator.comparingDouble(Stream::idle).thenComparing(Stream::name))
                .toList());
    d.close();
    return device;
  }

  @Override
  public void close() {
    devices.values().forEach(DeviceSum::close);
    devices.clear();
  }

  private static Stream stream(String name, StreamSum s, long span) {
    return new Stream(name, Math.max(0, span - s.collective - s.compute - s.copy) * PICO, s.events);
  }

  private KernelSum kernel(String name, String hloOp) {
    String key = hloOp.isEmpty() || hloOp.equals(name) ? name : name + '\0' + hloOp;
    KernelSum known = kernels.get(key);
    if (known != null) {
      return known;
    }
    Optional<Route> route = route(name, hloOp);
    Sort sort = route.isPresent() ? Sort.COLLECTIVE : sort(name, hloOp);
    boolean room = kernels.size() < MOST_KERNELS;
    return room
        ? kernels.computeIfAbsent(key, k -> new KernelSum(name, sort, route))
        : kernels.computeIfAbsent(OTHERS + sort + route, k -> new KernelSum(OTHERS, sort, route));
  }

  /**
   * The route of an event: by its instruction if the module knows it, else by the kernel's name.
   */
  private Optional<Route> route(String name, String hloOp) {
    Optional<CollectiveKind> named = CollectiveKind.ofEvent(name);
    boolean kernel = named.isPresent() && isCommunicationKernel(name);
    if (!hloOp.isEmpty() && (kernel || hloOp.equals(name))) {
      Route known = names.collectives().get(hloOp);
      if (known != null) {
        return Optional.of(known);
      }
      if (kernel && named.get() == CollectiveKind.OTHER) {
        return Optional.of(Route.of(CollectiveKind.ofEvent(hloOp).orElse(CollectiveKind.OTHER)));
      }
    }
    return Optional.ofNullable(names.collectives().get(name)).or(() -> named.map(Route::of));
  }

  private static boolean isCommunicationKernel(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.contains("nccl") || lower.contains("rccl");
  }

  private Sort sort(String name, String hloOp) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith("memcpy") || lower.startsWith("memset") || lower.startsWith("copy-")) {
      return Sort.COPY;
    }
    boolean instruction = hloOp.isEmpty() || hloOp.equals(name);
    boolean container =
        names.containers().contains(name) || lower.matches("(while|call|conditional)([.][0-9]+)?");
    return instruction && container ? Sort.CONTAINER : Sort.COMPUTE;
  }

  private static final class DeviceSum {
    final Intervals collective = new Intervals();
    final Intervals compute = new Intervals();
    final Intervals busy = new Intervals();
    final Map<Route, Intervals> byRoute = new HashMap<>();
    final Map<String, StreamSum> streams = new HashMap<>();

    void close() {
      busy.close();
      collective.close();
      compute.close();
      byRoute.values().forEach(Intervals::close);
    }
  }

  /**
   * Sums up a stream. A stream does one thing at a time, so an event inside another counts as part
   * of the outer one.
   */
  private static final class StreamSum {
    long collective;
    long compute;
    long copy;
    long events;
    private long until = Long.MIN_VALUE;

    void add(Sort sort, long start, long duration) {
      long own = Math.max(0, start + duration - Math.max(start, until));
      until = Math.max(until, start + duration);
      events++;
      switch (sort) {
        case COLLECTIVE -> collective += own;
        case COMPUTE -> compute += own;
        case COPY -> copy += own;
        case CONTAINER -> throw new IllegalStateException("a container is no work");
      }
    }
  }

  private static final class KernelSum {
    final String name;
    final Sort sort;
    final Optional<Route> route;
    long duration;
    long runs;

    KernelSum(String name, Sort sort, Optional<Route> route) {
      this.name = name;
      this.sort = sort;
      this.route = route;
    }
  }
}
