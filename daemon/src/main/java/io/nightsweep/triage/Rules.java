package io.nightsweep.triage;

import com.google.re2j.Pattern;
import io.nightsweep.joblog.LinePatterns;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.PatternSets;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Signature;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A playbook's patterns, each numbered once, with their uses. */
final class Rules {
  /** A mark's patterns by number. */
  record MarkIds(Set<Integer> begins, Set<Integer> ends, Set<Integer> clears) {}

  /** The meaning of a pattern's first group. */
  enum FirstGroup {
    STEPS_TOTAL,
    EXIT,
    HOST
  }

  private final Recognition recognition;
  private final List<String> expressions = new ArrayList<>();
  private final Map<Integer, Pattern> patterns = new ConcurrentHashMap<>();
  private final Map<String, Integer> ids = new HashMap<>();
  private final SortedMap<String, MarkIds> marks = new TreeMap<>();
  private final Map<Integer, Set<FirstGroup>> readings = new HashMap<>();
  private final Map<Integer, Set<String>> subjects = new HashMap<>();
  private final Map<String, Pattern> subjectPatterns = new LinkedHashMap<>();
  private final Map<Integer, Set<FirstErrors.Kind>> errorKinds = new HashMap<>();
  private final Set<Integer> echoes = new HashSet<>();
  private final Set<Integer> summaries = new HashSet<>();
  private final Set<Integer> evidence = new HashSet<>();
  private final Set<Integer> causes = new HashSet<>();
  private final Set<Integer> lasting = new HashSet<>();

  /** Patterns that say anything about a failure. */
  private final BitSet ofFailures = new BitSet();

  private final BitSet ofMarks = new BitSet();
  private final BitSet ofReadings = new BitSet();
  private final BitSet ofHostsAlone = new BitSet();
  private final BitSet stations = new BitSet();

  /** Patterns with lines that each report a failure. */
  private final Set<Integer> failures = new HashSet<>();

  /** Patterns for fatal errors that are not searched for on other lines. */
  private final Set<Integer> deaths = new TreeSet<>();

  /** Patterns that are searched for on every line. */
  private final Set<Integer> searched = new HashSet<>();

  private final LinePatterns wordsOfDeaths;
  private final Map<Integer, Set<String>> causesOf = new HashMap<>();
  private final Map<Integer, Set<String>> echoesOf = new HashMap<>();
  private final Map<Integer, Set<String>> marksById = new HashMap<>();
  private final LinePatterns benign;
  private final LineWeight weight;

  Rules(Recognition recognition) {
    this.recognition = recognition;
    recognition
        .marks()
        .forEach(
            (name, m) ->
                marks.put(name, new MarkIds(all(m.begins()), all(m.ends()), all(m.clears()))));
    marks.forEach(
        (name, ids) ->
            Stream.of(ids.begins(), ids.ends(), ids.clears())
                .flatMap(Set::stream)
                .forEach(id -> marksById.computeIfAbsent(id, k -> new TreeSet<>()).add(name)));
    read(FirstGroup.STEPS_TOTAL, recognition.readings().stepsTotal());
    read(FirstGroup.EXIT, recognition.readings().exit());
    read(FirstGroup.HOST, recognition.readings().host());
    recognition.classes().forEach(this::add);
    error(FirstErrors.Kind.TRACEBACK, recognition.errors().tracebacks());
    error(FirstErrors.Kind.RAISED, recognition.errors().raised());
    error(FirstErrors.Kind.FATAL, recognition.errors().fatal());
    error(FirstErrors.Kind.PLAIN, recognition.errors().plain());
    error(FirstErrors.Kind.IGNORED, recognition.errors().ignored());
    summaries.addAll(all(recognition.echoes()));
    echoes.addAll(summaries);
    TreeMap<Integer, String> harmless = new TreeMap<>();
    recognition.benign().forEach(e -> harmless.put(harmless.size(), e));
    benign = new LinePatterns(harmless);
    Stream.of(searched, marksById.keySet(), readings.keySet(), errorKinds.keySet(), summaries)
        .forEach(deaths::removeAll);
    TreeMap<Integer, String> deadly = new TreeMap<>();
    deaths.forEach(id -> deadly.put(id, expressions.get(id)));
    wordsOfDeaths = new LinePatterns(deadly);
    weight = new LineWeight(recognition);
    sort();
  }

  /** Sorts the patterns by the uses that are asked for at each line. */
  private void sort() {
    Stream.of(evidence, echoes, errorKinds.keySet()).flatMap(Set::stream).forEach(ofFailures::set);
    marksById.keySet().forEach(ofMarks::set);
    readings.keySet().forEach(ofReadings::set);
    readings.forEach(
        (id, of) -> {
          boolean isUsed = ofMarks.get(id) || ofFailures.get(id);
          ofHostsAlone.set(id, !isUsed && of.equals(Set.of(FirstGroup.HOST)));
        });
    marks.values().stream()
        .filter(m -> m.ends().isEmpty() && m.clears().isEmpty())
        .flatMap(m -> m.begins().stream())
        .forEach(stations::set);
  }

  private void add(FailureClass failureClass) {
    evidence.addAll(all(failureClass.figures()));
    causes.addAll(all(failureClass.figures()));
    searched.addAll(all(failureClass.figures()));
    for (Signature signature : failureClass.signatures()) {
      for (Clue clue : signature.clues()) {
        if (clue instanceof Clue.Line line) {
          add(failureClass, signature, line);
        }
      }
    }
  }

  private void add(FailureClass failureClass, Signature signature, Clue.Line line) {
    int main = id(line.pattern());
    evidence.add(main);
    (line.diedOf() ? deaths : searched).add(main);
    if (!line.diedOf()) {
      causes.add(main);
      // An echo that needs further clues does not hold for each of its lines.
      if (!signature.echo() || signature.clues().size() == 1) {
        (signature.echo() ? echoesOf : causesOf)
            .computeIfAbsent(main, k -> new HashSet<>())
            .add(failureClass.id());
      }
    }
    if (outranksSuccess(failureClass)) {
      lasting.add(main);
    } else if (!line.diedOf()
        && !signature.echo()
        && signature.clues().size() == 1
        && line.near().isEmpty()) {
      failures.add(main);
    }
    // Patterns for fatal errors are searched for in a rank's own errors, which are never echoes.
    if (signature.echo() && !line.diedOf()) {
      echoes.add(main);
    }
    line.near().map(this::id).ifPresent(searched::add);
    // The clue's {@code unless} pattern shows from a line's own words that a rank did not die of
    // it.
    line.unless().map(this::id).ifPresent((line.diedOf() ? deaths : searched)::add);
    line.near().ifPresent(other -> evidence.add(id(other)));
    line.unless().ifPresent(other -> evidence.add(id(other)));
    for (String subject : failureClass.subjects()) {
      subjects.computeIfAbsent(main, k -> new HashSet<>()).add(subject);
      if (!subject.equals(FailureClass.HOST_OF_RANK)) {
        subjectPatterns.computeIfAbsent(subject, Pattern::compile);
      }
    }
  }

  /**
   * Whether the class outranks success: it judges the measurement, which later steps do not repair.
   */
  private boolean outranksSuccess(FailureClass failureClass) {
    return recognition.classes().stream()
        .anyMatch(c -> c.id().equals(KnownClasses.SUCCESS) && failureClass.order() < c.order());
  }

  private void error(FirstErrors.Kind kind, List<String> of) {
    all(of)
        .forEach(
            id ->
                errorKinds
                    .computeIfAbsent(id, k -> EnumSet.noneOf(FirstErrors.Kind.class))
                    .add(kind));
  }

  private void read(FirstGroup reading, List<String> of) {
    all(of).forEach(id -> readings.computeIfAbsent(id, k -> new HashSet<>()).add(reading));
  }

  private Set<Integer> all(List<String> of) {
    Set<Integer> numbers = new HashSet<>();
    of.forEach(e -> numbers.add(id(e)));
    return numbers;
  }

  int id(String expression) {
    Integer known = ids.get(expression);
    if (known != null) {
      return known;
    }
    int id = expressions.size();
    expressions.add(expression);
    ids.put(expression, id);
    return id;
  }

  Recognition recognition() {
    return recognition;
  }

  List<String> expressions() {
    return List.copyOf(expressions);
  }

  /**
   * The patterns to search a log for: without spent patterns and without those for {@link
   * #deaths(String)}, which match many healthy lines.
   */
  PatternSet patterns(BitSet spent) {
    TreeMap<Integer, String> left = new TreeMap<>();
    for (int id = 0; id < expressions.size(); id++) {
      if (!spent.get(id) && !deaths.contains(id)) {
        left.put(id, expressions.get(id));
      }
    }
    return PatternSets.of(left);
  }

  /** Whether the pattern is searched for only on error lines. */
  boolean isOfDeaths(int id) {
    return deaths.contains(id);
  }

  /** The patterns for fatal errors that match what an error line says. */
  List<Integer> deaths(String error) {
    return wordsOfDeaths.matching(ErrorWords.of(error));
  }

  /**
   * Whether the pattern belongs to a mark and reads no figure, so that its lines only need
   * counting.
   */
  boolean isCounted(int id) {
    return ofMarks.get(id) && !ofReadings.get(id);
  }

  /** Whether the pattern is used only to find the host of a rank. */
  boolean isOfHostsAlone(int id) {
    return ofHostsAlone.get(id);
  }

  IntStream markPatterns() {
    return marksById.keySet().stream().mapToInt(Integer::intValue);
  }

  /** Whether every line of the pattern counts, however many there are: figures and marks. */
  boolean isEndless(int id) {
    return ofReadings.get(id) || ofMarks.get(id);
  }

  /** Whether the pattern's lines still count if their rank went on. */
  boolean isLasting(int id) {
    return lasting.contains(id);
  }

  /**
   * Whether the line is also an echo of every class for which it is a cause; it then does not count
   * as a cause.
   */
  boolean isOutshone(int id, List<Integer> matched) {
    Set<String> classes = causesOf.getOrDefault(id, Set.of());
    return !classes.isEmpty()
        && matched.stream().anyMatch(m -> echoesOf.getOrDefault(m, Set.of()).containsAll(classes));
  }

  /** Whether the line reports a failure of its rank and is more than a warning or an echo. */
  boolean isFailure(List<Integer> matched, String line) {
    return matched.stream()
        .anyMatch(
            id -> failures.contains(id) && !isOutshone(id, matched) && !isWarningBesides(id, line));
  }

  /** The patterns with lines that indicate a class by themselves. */
  Stream<Integer> causes() {
    return causes.stream();
  }

  /** Compiled on first use: a log needs only a few of hundreds. */
  Pattern pattern(int id) {
    return patterns.computeIfAbsent(id, k -> Pattern.compile(expressions.get(k)));
  }

  /** Whether failure classes use the pattern as evidence, so that its benign lines do not count. */
  boolean isEvidence(int id) {
    return evidence.contains(id);
  }

  /** Whether the pattern reports a failure elsewhere. */
  boolean isEcho(int id) {
    return echoes.contains(id);
  }

  /** Whether any pattern for failures elsewhere matches the line. */
  boolean isEcho(String line) {
    return echoes.stream().anyMatch(id -> pattern(id).matcher(line).find());
  }

  /** Whether the pattern matches a summary of how a job or one of its processes ended. */
  boolean isSummary(int id) {
    return summaries.contains(id);
  }

  Set<FirstErrors.Kind> errorKinds(int id) {
    return errorKinds.getOrDefault(id, Set.of());
  }

  /** Whether the pattern begins a mark that a rank passes once and that never ends. */
  boolean isStation(int id) {
    return stations.get(id);
  }

  /** Whether the pattern begins, ends or clears a mark. */
  boolean isMark(int id) {
    return ofMarks.get(id);
  }

  /**
   * Whether the pattern says anything about a failure, so that it must not match on a benign line.
   */
  boolean isOfAFailure(int id) {
    return ofFailures.get(id);
  }

  /** Whether a match is useful; on a benign line, only readings and marks are. */
  boolean isTold(int id, boolean isBenign) {
    return isEndless(id) || (!isBenign && isOfAFailure(id));
  }

  /** Whether a line only looks like a failure. */
  boolean isBenign(String line) {
    return !benign.matching(line).isEmpty();
  }

  /** How much a line says about a failure, by its words. */
  LineWeight weight() {
    return weight;
  }

  /**
   * Whether a program marks the line as a warning and the pattern does not match the word for the
   * level.
   */
  boolean isWarningBesides(int id, String line) {
    return weight.isWarningBesides(pattern(id), line);
  }

  /** The marks to which these patterns belong. */
  Set<String> marksOf(List<Integer> matched) {
    if (matched.size() == 1) {
      return marksById.getOrDefault(matched.getFirst(), Set.of());
    }
    Set<String> names = new TreeSet<>();
    matched.forEach(id -> names.addAll(marksById.getOrDefault(id, Set.of())));
    return names;
  }

  SortedMap<String, MarkIds> marks() {
    return marks;
  }

  Set<FirstGroup> readings(int id) {
    return readings.getOrDefault(id, Set.of());
  }

  Set<String> subjects(int id) {
    return subjects.getOrDefault(id, Set.of());
  }

  Pattern subjectPattern(String expression) {
    return Objects.requireNonNull(subjectPatterns.get(expression));
  }
}
