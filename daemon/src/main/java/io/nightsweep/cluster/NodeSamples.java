package io.nightsweep.cluster;

import io.nightsweep.files.ForeignFile;
import io.nightsweep.sweep.NodeStrain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job's nodes told of themselves while it ran, by {@code templates/jobs/watch.sh}. A job can
 * write anything in its place: lines of another form, and nodes that are not pinned, are passed
 * over.
 *
 * @param samples in their order; each has the time {@code at}, in seconds
 */
public record NodeSamples(String node, int cpus, List<SortedMap<String, Double>> samples) {
  /** Some days of samples. */
  private static final int MOST_BYTES = 2 << 20;

  private static final int MOST_CPUS = 1 << 16;

  /** Counters of a shorter time say nothing. */
  private static final double SHORTEST_SECONDS = 1;

  private static final double MICROSECONDS = 1e6;

  private static final Pattern HEAD =
      Pattern.compile("node=([A-Za-z0-9][A-Za-z0-9._-]{0,254}) cpus=([1-9]\\d{0,5})");

  private static final Pattern FIGURE =
      Pattern.compile("([a-zA-Z]{1,40})=(\\d{1,18}(?:\\.\\d{1,9})?)");

  public NodeSamples {
    samples = List.copyOf(samples);
  }

  /**
   * Those that can be read by now; none of a job that is not watched.
   *
   * @param pinned the nodes that the job was given
   */
  public static List<NodeSamples> of(JobFiles files, Collection<String> pinned) {
    List<NodeSamples> all = new ArrayList<>();
    if (!Files.isRegularFile(files.watch())) {
      return List.of();
    }
    for (int i = 0; i < pinned.size(); i++) {
      try {
        byte[] bytes = ForeignFile.read(files.samples(i), MOST_BYTES);
        parse(new String(bytes, StandardCharsets.UTF_8))
            .filter(told -> pinned.contains(told.node()))
            .filter(told -> all.stream().noneMatch(other -> other.node().equals(told.node())))
            .ifPresent(all::add);
      } catch (IOException e) {
        // The cluster offers no such figures, or none yet.
      }
    }
    return List.copyOf(all);
  }

  static Optional<NodeSamples> parse(String text) {
    List<String> lines = text.lines().toList();
    Matcher head = HEAD.matcher(lines.isEmpty() ? "" : lines.getFirst());
    if (!head.matches() || Integer.parseInt(head.group(2)) > MOST_CPUS) {
      return Optional.empty();
    }
    List<SortedMap<String, Double>> samples = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      TreeMap<String, Double> figures = new TreeMap<>();
      for (String part : line.split(" ", -1)) {
        Matcher figure = FIGURE.matcher(part);
        if (figure.matches()) {
          figures.put(figure.group(1), Double.valueOf(figure.group(2)));
        }
      }
      if (figures.containsKey("at")) {
        samples.add(figures);
      }
    }
    return Optional.of(new NodeSamples(head.group(1), Integer.parseInt(head.group(2)), samples));
  }

  /** The figures of the time from the first sample to the last; empty where it is too short. */
  public Map<NodeStrain.Kind, Double> figures() {
    EnumMap<NodeStrain.Kind, Double> figures = new EnumMap<>(NodeStrain.Kind.class);
    double seconds = growth("at").orElse(0);
    if (!(seconds >= SHORTEST_SECONDS)) {
      return figures;
    }
    growth("throttledMicroseconds")
        .ifPresent(v -> figures.put(NodeStrain.Kind.THROTTLED, v / MICROSECONDS / seconds));
    double ticks = growth("ticks").orElse(0);
    growth("stolenTicks")
        .ifPresent(v -> figures.put(NodeStrain.Kind.STOLEN, ticks > 0 ? v / ticks : 0));
    extreme("load", Math::max).ifPresent(v -> figures.put(NodeStrain.Kind.LOADED, v / cpus));
    growth("heatEvents").ifPresent(v -> figures.put(NodeStrain.Kind.OVERHEATED, v));
    OptionalDouble memory = extreme("memoryKilobytes", Math::max);
    extreme("availableKilobytes", Math::min)
        .ifPresent(
            v ->
                memory.ifPresent(
                    all -> figures.put(NodeStrain.Kind.SHORT_OF_MEMORY, all > 0 ? v / all : 1)));
    growth("linkErrors").ifPresent(v -> figures.put(NodeStrain.Kind.LINK_ERRORS, v));
    OptionalDouble packets = growth("packetsAgain");
    OptionalDouble segments = growth("segmentsAgain");
    if (packets.isPresent() || segments.isPresent()) {
      figures.put(NodeStrain.Kind.RETRANSMITS, (packets.orElse(0) + segments.orElse(0)) / seconds);
    }
    extreme("gpuMegahertz", Math::max).ifPresent(v -> figures.put(NodeStrain.Kind.GPU_CLOCK, v));
    extreme("gpuCelsius", Math::max).ifPresent(v -> figures.put(NodeStrain.Kind.GPU_HEAT, v));
    return figures;
  }

  /** From the first sample to the last; a counter that went back was reset. */
  private OptionalDouble growth(String name) {
    if (samples.isEmpty()) {
      return OptionalDouble.empty();
    }
    Double first = samples.getFirst().get(name);
    Double last = samples.getLast().get(name);
    return first == null || last == null || last < first
        ? OptionalDouble.empty()
        : OptionalDouble.of(last - first);
  }

  private OptionalDouble extreme(String name, DoubleBinaryOperator which) {
    return samples.stream()
        .filter(sample -> sample.containsKey(name))
        .mapToDouble(sample -> sample.getOrDefault(name, 0.0))
        .reduce(which);
  }
}
