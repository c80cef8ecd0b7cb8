package io.nightsweep.plan;

import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Signature;
import io.nightsweep.triage.PatternSyntax;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads how playbooks recognise failures. Patterns, marks and signatures of a playbook and its
 * ancestors add up; for limits, orders and confidences, the extending playbook takes precedence.
 */
final class RecognitionForm {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9}) ?([kMG]?)B");
  private static final double CONFIDENCE = 0.9;
  private static final int LAST = 50;

  private final List<Yaml.Mapping> layers;
  private final Set<String> packed;
  private final Problems problems;
  private final Map<String, Yaml.Scalar> limits = new TreeMap<>();
  private final TreeSet<String> markNames = new TreeSet<>();

  /**
   * @param layers a playbook and its ancestors, in this order
   * @param packed files of Nightsweep's own playbooks; a test checks their patterns, since a check
   *     takes as long as reading
   */
  RecognitionForm(List<Yaml.Mapping> layers, Set<String> packed, Problems problems) {
    this.layers = List.copyOf(layers);
    this.packed = Set.copyOf(packed);
    this.problems = problems;
    for (Yaml.Mapping layer : layers) {
      Yaml.Mapping own = layer.mapping("limits");
      own.entries().keySet().forEach(k -> own.scalar(k).ifPresent(v -> limits.putIfAbsent(k, v)));
      markNames.addAll(layer.mapping("marks").entries().keySet());
    }
  }

  Recognition read() {
    return new Recognition(
        patterns(layer -> layer, "benign"),
        patterns(layer -> layer, "echoes"),
        new Recognition.Errors(
            errors("tracebacks"),
            errors("raised"),
            errors("fatal"),
            errors("plain"),
            errors("warnings"),
            errors("ignored")),
        marks(),
        new Recognition.Readings(reads("steps-total"), reads("exit"), reads("host")),
        classes());
  }

  private List<String> errors(String key) {
    return patterns(layer -> layer.mapping("errors"), key);
  }

  private List<String> reads(String key) {
    return patterns(layer -> layer.mapping("reads"), key);
  }

  private SortedMap<String, Recognition.Mark> marks() {
    TreeMap<String, Recognition.Mark> marks = new TreeMap<>();
    for (String name : markNames) {
      Function<Yaml.Mapping, Yaml.Mapping> own = layer -> layer.mapping("marks").mapping(name);
      marks.put(
          name,
          new Recognition.Mark(
              patterns(own, "begins"), patterns(own, "ends"), patterns(own, "clears")));
    }
    return marks;
  }

  private List<String> patterns(Function<Yaml.Mapping, Yaml.Mapping> of, String key) {
    LinkedHashSet<String> all = new LinkedHashSet<>();
    layers.forEach(
        layer -> of.apply(layer).scalars(key).forEach(s -> pattern(s).ifPresent(all::add)));
    return List.copyOf(all);
  }

  private Optional<String> pattern(Yaml.Scalar scalar) {
    Optional<String> fault =
        packed.contains(scalar.place().file())
            ? Optional.empty()
            : PatternSyntax.fault(scalar.text());
    fault.ifPresent(
        f ->
            problems.add(
                scalar.place(), "the pattern " + scalar.describe() + " cannot be used", f));
    return fault.isPresent() ? Optional.empty() : Optional.of(scalar.text());
  }

  /** The classes sorted by order; a class appears once for each order of its signatures. */
  private List<FailureClass> classes() {
    LinkedHashMap<String, List<Yaml.Mapping>> byId = new LinkedHashMap<>();
    for (Yaml.Mapping layer : layers) {
      Yaml.Mapping classes = layer.mapping("classes");
      classes
          .entries()
          .keySet()
          .forEach(id -> byId.computeIfAbsent(id, k -> new ArrayList<>()).add(classes.mapping(id)));
    }
    List<FailureClass> all = new ArrayList<>();
    byId.forEach((id, bodies) -> all.addAll(classesOf(id, bodies)));
    all.sort(Comparator.comparingInt(FailureClass::order).thenComparing(FailureClass::id));
    return all;
  }

  private List<FailureClass> classesOf(String id, List<Yaml.Mapping> bodies) {
    String about = first(bodies, "about").map(Yaml.Scalar::text).orElse("");
    int order = first(bodies, "order").flatMap(Values::integer).orElse(LAST);
    double confidence = first(bodies, "confidence").flatMap(Values::number).orElse(CONFIDENCE);
    boolean echo = first(bodies, "echo").filter(Values::isTrue).isPresent();
    SortedMap<Integer, List<Signature>> byOrder = new TreeMap<>();
    for (Yaml.Mapping body : bodies) {
      for (Yaml item : body.items("signatures")) {
        if (item instanceof Yaml.Mapping m) {
          byOrder
              .computeIfAbsent(
                  m.scalar("order").flatMap(Values::integer).orElse(order), k -> new ArrayList<>())
              .addAll(signatures(m, confidence, echo));
        }
      }
    }
    List<String> subjects = texts(bodies, "subjects");
    List<String> figures = texts(bodies, "figures");
    return byOrder.entrySet().stream()
        .map(e -> new FailureClass(id, about, e.getKey(), e.getValue(), subjects, figures))
        .toList();
  }

  private List<String> texts(List<Yaml.Mapping> bodies, String key) {
    return bodies.stream()
        .flatMap(b -> b.scalars(key).stream())
        .flatMap(
            s ->
                s.text().equals(FailureClass.HOST_OF_RANK)
                    ? Optional.of(s.text()).stream()
                    : pattern(s).stream())
        .distinct()
        .toList();
  }

  private static Optional<Yaml.Scalar> first(List<Yaml.Mapping> bodies, String key) {
    return bodies.stream().flatMap(b -> b.scalar(key).stream()).findFirst();
  }

  /** One signature for each pattern of {@code log}, each with all the other clues. */
  private List<Signature> signatures(Yaml.Mapping m, double usualConfidence, boolean usuallyEcho) {
    double confidence = m.scalar("confidence").flatMap(Values::number).orElse(usualConfidence);
    boolean echo = m.scalar("echo").map(Values::isTrue).orElse(usuallyEcho);
    List<Clue> others = clues(m);
    List<Yaml.Scalar> logs = m.scalars("log");
    if (logs.isEmpty()) {
      return List.of(new Signature(confidence, echo, others));
    }
    Optional<String> near = m.scalar("near").flatMap(this::pattern);
    Optional<String> unless = m.scalar("unless").flatMap(this::pattern);
    boolean diedOf = m.scalar("died-of").filter(Values::isTrue).isPresent();
    List<Signature> all = new ArrayList<>();
    for (Yaml.Scalar log : logs) {
      pattern(log)
          .ifPresent(
              p -> {
                List<Clue> clues = new ArrayList<>();
                clues.add(new Clue.Line(p, near, unless, diedOf));
                clues.addAll(others);
                all.add(new Signature(confidence, echo, clues));
              });
    }
    return all;
  }

  private List<Clue> clues(Yaml.Mapping m) {
    List<Clue> clues = new ArrayList<>();
    List<Integer> codes =
        m.scalars("exit").stream().flatMap(s -> Values.integer(s).stream()).toList();
    if (!codes.isEmpty()) {
      clues.add(new Clue.Exit(codes));
    }
    List<JobEnd.State> states =
        m.scalars("ended").stream()
            .flatMap(s -> Values.constant(JobEnd.State.class, s).stream())
            .toList();
    if (!states.isEmpty()) {
      clues.add(new Clue.Ended(states));
    }
    m.scalar("no-log").filter(Values::isTrue).ifPresent(s -> clues.add(new Clue.NoLog()));
    m.scalar("reached")
        .flatMap(s -> Values.constant(Clue.StepsSeen.class, s))
        .ifPresent(p -> clues.add(new Clue.Reached(p)));
    m.scalar("silence")
        .flatMap(s -> limit(s, Values::duration, () -> Duration.ofMinutes(10)))
        .ifPresent(d -> clues.add(new Clue.Silence(d, overdue(m))));
    m.scalar("grown")
        .flatMap(s -> limit(s, RecognitionForm::bytes, () -> 500_000_000L))
        .ifPresent(b -> clues.add(new Clue.Grown(b)));
    m.scalars("seen").forEach(s -> clues.add(new Clue.Seen(mark(s), true)));
    m.scalars("unseen").forEach(s -> clues.add(new Clue.Seen(mark(s), false)));
    m.scalars("open").forEach(s -> clues.add(new Clue.Open(mark(s), true)));
    m.scalars("closed").forEach(s -> clues.add(new Clue.Open(mark(s), false)));
    m.scalar("first-job").ifPresent(s -> clues.add(new Clue.FirstJob(Values.isTrue(s))));
    m.scalar("baseline").ifPresent(s -> clues.add(new Clue.Baseline(Values.isTrue(s))));
    return clues;
  }

  private Optional<Clue.Overdue> overdue(Yaml.Mapping m) {
    return m.scalar("times")
        .flatMap(s -> limit(s, RecognitionForm::times, () -> 5.0))
        .map(
            times ->
                new Clue.Overdue(
                    times,
                    m.scalar("floor")
                        .flatMap(s -> limit(s, Values::duration, () -> Duration.ofMinutes(3)))
                        .orElse(Duration.ZERO)));
  }

  /** A multiple of a step's projected duration; at least 1. */
  private static Optional<Double> times(Yaml.Scalar scalar) {
    return Values.number(scalar).filter(n -> n >= 1);
  }

  private String mark(Yaml.Scalar name) {
    if (!markNames.contains(name.text())) {
      problems.add(Problem.unknown(name.place(), "mark", name.text(), markNames));
    }
    return name.text();
  }

  /** A limit, given by name or as a value. */
  private <T> Optional<T> limit(
      Yaml.Scalar given, Function<Yaml.Scalar, Optional<T>> read, Supplier<T> instead) {
    Optional<T> direct = read.apply(given);
    if (direct.isPresent()) {
      return direct;
    }
    if (!limits.containsKey(given.text())) {
      problems.add(Problem.unknown(given.place(), "limit", given.text(), limits.keySet()));
      return Optional.of(instead.get());
    }
    Yaml.Scalar value = Objects.requireNonNull(limits.get(given.text()));
    Optional<T> named = read.apply(value);
    if (named.isEmpty()) {
      problems.add(
          value.place(),
          "the limit '" + given.text() + "' is " + value.describe(),
          "expected a duration such as 10m, a size such as 500MB for the growth of a log, or a"
              + " number from 1 for a multiple");
    }
    return named.or(() -> Optional.of(instead.get()));
  }

  /** A size in decimal units, such as {@code 500MB}. */
  static Optional<Long> bytes(Yaml.Scalar scalar) {
    Matcher m = SIZE.matcher(scalar.text());
    if (!m.matches()) {
      return Optional.empty();
    }
    long unit =
        switch (m.group(2)) {
          case "k" -> 1_000L;
          case "M" -> 1_000_000L;
          case "G" -> 1_000_000_000L;
          default -> 1L;
        };
    return Optional.of(Long.parseLong(m.group(1)) * unit);
  }
}
