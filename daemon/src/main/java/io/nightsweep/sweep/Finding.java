package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What evidence shows about a mechanism, or what a probe found out about the build.
 *
 * @param kind one of the constants here
 * @param sources files that support it, each prefixed with its job id
 * @param figures the statement's numbers by name; reports in every language print them
 */
public record Finding(
    AttemptId attempt,
    String kind,
    Statement statement,
    List<String> sources,
    SortedMap<String, Double> figures) {

  /** The mechanisms seen, as named in the catalogs; figures: runs in one step, by mechanism. */
  public static final String MECHANISMS = "mechanisms";

  /** Figures: seconds of the profiled window, by use. */
  public static final String BREAKDOWN = "step-time-breakdown";

  /** Figures: one, the share of the window, under the name of the largest cost. */
  public static final String DOMINANT = "dominant-cost";

  /** Figures: shares of the window in which only communication runs, by {@link CollectiveRoute}. */
  public static final String COMMUNICATION = "exposed-communication-by-kind";

  /** Which axis of a hybrid communicates most. Figures: shares of the window by axis. */
  public static final String DOMINANT_AXIS = "dominant-axis";

  public static final String EXPOSED = "exposed-communication";
  public static final String COLLECTIVES = "collectives";
  public static final String THRESHOLD = "combine-threshold";
  public static final String SYNCHRONOUS = "synchronous-collective";
  public static final String PIPELINED = "pipelined-collective";
  public static final String KERNELS = "kernels";
  public static final String FLAGS = "inherited-flags";

  /** Figures: as of {@link #DOMINANT}. */
  public static final String UNADDRESSED = "unaddressed-cost";

  /**
   * Which program the job compiled. Figures: one, the number of instructions, under the program's
   * hash; empty if the job left no text of the program. Only {@code Programs} uses it.
   */
  public static final String PROGRAM = "program";

  /**
   * The sources of the sweep's jobs have changed since it began; this is not part of the evidence.
   */
  public static final String CHANGED = "changed-source";

  /** What a profile's fresh runs print and the baseline's do not, or the reverse. */
  public static final String UNLIKE_LOG = "unlike-log";

  /** The evidence, or a part of it, cannot be read. */
  public static final String UNREADABLE = "unreadable";

  private static final String PUT_OFF = "put-off-candidates";

  private static final String UNKNOWN_FLAGS = "unknown-flags";

  private static final String KNOWN_SETTINGS = "known-settings";

  public Finding {
    sources = List.copyOf(sources);
    figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
  }

  public Finding(AttemptId attempt, String kind, Statement statement, List<String> sources) {
    this(attempt, kind, statement, sources, new TreeMap<>());
  }

  /** The catalogs' name for a collective: a permute may be compiled into sends and receives. */
  public static String mechanism(String opcode) {
    return opcode.equals("send") || opcode.equals("recv") ? "collective-permute" : opcode;
  }

  /** Whether the figures, by opcode, contain one that belongs to the mechanism. */
  public boolean shows(String mechanism) {
    return figures.keySet().stream().anyMatch(opcode -> mechanism(opcode).equals(mechanism));
  }

  public boolean is(String otherKind) {
    return kind.equals(otherKind);
  }

  /**
   * Shares of the profiled window in which only communication runs; empty for a finding of another
   * kind.
   */
  public SortedMap<CollectiveRoute, Double> exposedShares() {
    TreeMap<CollectiveRoute, Double> shares = new TreeMap<>();
    if (is(COMMUNICATION)) {
      figures.forEach((name, share) -> shares.put(CollectiveRoute.parse(name), share));
    }
    return shares;
  }

  /**
   * @param share of the profiled window
   */
  public record LargestCost(String name, double share) {}

  /** The largest cost of the step; empty for a finding of another kind. */
  public Optional<LargestCost> largestCost() {
    return is(DOMINANT) || is(UNADDRESSED)
        ? figures.entrySet().stream()
            .findFirst()
            .map(cost -> new LargestCost(cost.getKey(), cost.getValue()))
        : Optional.empty();
  }

  /**
   * Candidates that may not fit into the budget; the figures' names are the candidates.
   *
   * @param minutes of one job
   */
  public static Finding ofPutOff(
      AttemptId timed, Statement statement, List<String> candidates, double minutes) {
    TreeMap<String, Double> named = new TreeMap<>();
    candidates.forEach(candidate -> named.put(candidate, minutes));
    return new Finding(timed, PUT_OFF, statement, List.of(), named);
  }

  /** The candidates that may not fit into the budget; empty for a finding of another kind. */
  public Set<String> putOff() {
    return is(PUT_OFF) ? figures.keySet() : Set.of();
  }

  /** Whether reports list it among the evidence. */
  public boolean isForPeople() {
    return !is(PROGRAM) && !is(KNOWN_SETTINGS) && !is(UNLIKE_LOG);
  }

  /** The hash of the program that the job compiled; empty for a finding of another kind. */
  public Optional<String> program() {
    return is(PROGRAM) ? figures.keySet().stream().findFirst() : Optional.empty();
  }

  /**
   * Flags that, according to a probe job, the build does not know or, if they have a value, cannot
   * parse; the figures' names are the flags.
   */
  public static Finding ofUnknownFlags(AttemptId attempt, List<String> flags, String source) {
    TreeMap<String, Double> named = new TreeMap<>();
    flags.forEach(flag -> named.put(flag, 1.0));
    return new Finding(
        attempt,
        UNKNOWN_FLAGS,
        Statement.row(
            " ",
            Stream.of(
                    refused("unknown-to-build", flags, false),
                    refused("unparsed-finding", flags, true))
                .flatMap(Optional::stream)
                .toList()),
        List.of(source),
        named);
  }

  private static Optional<Statement> refused(String key, List<String> flags, boolean withValue) {
    List<String> some = flags.stream().filter(f -> f.contains("=") == withValue).toList();
    return some.isEmpty()
        ? Optional.empty()
        : Optional.of(Statement.phrase(key, String.join(", ", some)));
  }

  /**
   * The flags that the build does not know or cannot parse; empty for a finding of another kind.
   */
  public List<String> unknownFlags() {
    return is(UNKNOWN_FLAGS) ? List.copyOf(figures.keySet()) : List.of();
  }

  /**
   * All settings of a probe job's program; the figures' names are the settings.
   *
   * @param source the file that lists them
   */
  public static Finding ofKnownSettings(AttemptId attempt, Set<String> names, String source) {
    TreeMap<String, Double> named = new TreeMap<>();
    names.forEach(name -> named.put(name, 1.0));
    return new Finding(
        attempt,
        KNOWN_SETTINGS,
        Statement.phrase("known-settings", names.size()),
        List.of(source),
        named);
  }

  /** The settings of the program; empty for a finding of another kind. */
  public Set<String> knownSettings() {
    return is(KNOWN_SETTINGS) ? figures.keySet() : Set.of();
  }
}
