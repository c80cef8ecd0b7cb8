package io.nightsweep.cluster;

import io.nightsweep.files.ForeignFile;
import io.nightsweep.sweep.NodeStrain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job's nodes reported about themselves while it ran, by {@code templates/jobs/watch.sh}. A
 * job could write anything there, so lines of another form and nodes that are not pinned are
 * skipped. Memory is bounded: four samples of each figure are kept.
 *
 * @param first of each figure; {@code at} is its time in seconds
 */
public record NodeSamples(
    String node,
    int cpus,
    Map<String, Double> first,
    Map<String, Double> last,
    Map<String, Double> least,
    Map<String, Double> most) {
  /** Enough for some days of samples. */
  private static final int MOST_BYTES = 2 << 20;

  private static final int MOST_CPUS = 1 << 16;

  /** Counters over a shorter time are meaningless. */
  private static final double SHORTEST_SECONDS = 1;

  private static final double MICROSECONDS = 1e6;

  private static final String AT = "at";

  private static final Set<String> KNOWN =
      Set.of(
          AT,
          "throttledMicroseconds",
          "ticks",
          "stolenTicks",
          "load",
          "heatEvents",
          "memoryKilobytes",
          "availableKilobytes",
          "linkErrors",
          "packetsAgain",
          "segmentsAgain",
          "gpuMegahertz",
          "gpuCelsius");

  private static final Pattern HEAD =
      Pattern.compile("node=([A-Za-z0-9][A-Za-z0-9._-]{0,254}) cpus=([1-9]\\d{0,5})");

  private static final Pattern FIGURE =
      Pattern.compile("([a-zA-Z]{1,40})=(\\d{1,18}(?:\\.\\d{1,9})?)");

  public NodeSamples {
    first = Map.copyOf(first);
    last = Map.copyOf(last);
    least = Map.copyOf(least);
    most = Map.copyOf(most);
  }

  /**
   * The samples so far; empty for a job that is not watched.
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
    Iterator<String> lines = text.lines().iterator();
    Matcher head = HEAD.matcher(lines.hasNext() ? lines.next() : "");
    if (!head.matches() || Integer.parseInt(head.group(2)) > MOST_CPUS) {
      return Optional.empty();
    }
    Map<String, Double> first = Map.of();
    Map<String, Double> last = Map.of();
    Map<String, Double> least = new HashMap<>();
    Map<String, Double> most = new HashMap<>();
    while (lines.hasNext()) {
      Map<String, Double> figures = figures(lines.next());
      if (figures.containsKey(AT)) {
        first = first.isEmpty() ? figures : first;
        last = figures;
        figures.forEach((name, v) -> least.merge(name, v, Math::min));
        figures.forEach((name, v) -> most.merge(name, v, Math::max));
      }
    }
    return Optional.of(
        new NodeSamples(head.group(1), Integer.parseInt(head.group(2)), first, last, least, most));
  }

  private static Map<String, Double> figures(String line) {
    Map<String, Double> figures = new HashMap<>();
    for (String part : line.split(" ", -1)) {
      Matcher figure = FIGURE.matcher(part);
      if (figure.matches() && KNOWN.contains(figure.group(1))) {
        figures.put(figure.group(1), Double.valueOf(figure.group(2)));
      }
    }
    return figures;
  }

  /** The figures between the first sample and the last; empty where the time is too short. */
  public Map<NodeStrain.Kind, Double> figures() {
    EnumMap<NodeStrain.Kind, Double> figures = new EnumMap<>(NodeStrain.Kind.class);
    double seconds = growth(AT).orElse(0);
    if (!(seconds >= SHORTEST_SECONDS)) {
      return figures;
    }
    growth("throttledMicroseconds")
        .ifPresent(v -> figures.put(NodeStrain.Kind.THROTTLED, v / MICROSECONDS / seconds));
    double ticks = growth("ticks").orElse(0);
    growth("stolenTicks")
        .ifPresent(v -> figures.put(NodeStrain.Kind.STOLEN, ticks > 0 ? v / ticks : 0));
    told(most, "load").ifPresent(v -> figures.put(NodeStrain.Kind.LOADED, v / cpus));
    growth("heatEvents").ifPresent(v -> figures.put(NodeStrain.Kind.OVERHEATED, v));
    OptionalDouble memory = told(most, "memoryKilobytes");
    told(least, "availableKilobytes")
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
    told(most, "gpuMegahertz").ifPresent(v -> figures.put(NodeStrain.Kind.GPU_CLOCK, v));
    told(most, "gpuCelsius").ifPresent(v -> figures.put(NodeStrain.Kind.GPU_HEAT, v));
    return figures;
  }

  /** The growth from the first sample to the last; empty where the counter was reset. */
  private OptionalDouble growth(String name) {
    Double from = first.get(name);
    Double to = last.get(name);
    return from == null || to == null || to < from
        ? OptionalDouble.empty()
        : OptionalDouble.of(to - from);
  }

  private static OptionalDouble told(Map<String, Double> figures, String name) {
    Double figure = figures.get(name);
    return figure == null ? OptionalDouble.empty() : OptionalDouble.of(figure);
  }
}
