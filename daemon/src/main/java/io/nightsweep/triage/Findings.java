package io.nightsweep.triage;

import com.google.re2j.Matcher;
import io.nightsweep.sweep.Diagnosis.Quote;
import io.nightsweep.sweep.FailureClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** What one attempt's log has told so far; bounded, however long the log is. */
final class Findings {
  /** The first lines are the cause, the later ones its echo on other ranks. */
  private static final int QUOTES = 3;

  private static final int MOST_SUBJECTS = 200;
  private static final int MOST_TASKS = 1 << 16;
  private static final int MOST_WAITING = 256;

  /** Lines that a pattern matched. */
  private static final class Lines {
    private final List<Quote> quotes = new ArrayList<>();
    private final Set<String> subjects = new LinkedHashSet<>();
    private final Set<Integer> tasks = new LinkedHashSet<>();
  }

  private static final class MarkState {
    private boolean seen;
    private long open;
    private Optional<LogLine> latest = Optional.empty();
  }

  /** Lines of two patterns that may be near each other. */
  private static final class PairState {
    private final ArrayDeque<Long> mains = new ArrayDeque<>();
    private final ArrayDeque<Long> others = new ArrayDeque<>();
    private boolean near;
    private boolean alone;
  }

  private final Rules rules;
  private final Map<Integer, Lines> lines = new HashMap<>();
  private final Map<String, MarkState> marks = new HashMap<>();
  private final Map<Rules.Pair, PairState> pairs = new HashMap<>();
  private final Map<Integer, String> hosts = new HashMap<>();
  private int step = -1;
  private int stepsTotal;
  private final Pace pace = new Pace();
  private OptionalDouble seconds = OptionalDouble.empty();
  private OptionalInt exit = OptionalInt.empty();
  private Optional<Quote> stepQuote = Optional.empty();
  private Optional<Quote> exitQuote = Optional.empty();

  Findings(Rules rules) {
    this.rules = rules;
    rules.marks().keySet().forEach(name -> marks.put(name, new MarkState()));
    rules.pairs().forEach(pair -> pairs.put(pair, new PairState()));
  }

  /**
   * A line and the patterns that may match it.
   *
   * @param ordinal of the line among all lines, rotated parts included
   */
  void add(LogLine line, long ordinal, Collection<Integer> candidates) {
    boolean benign = rules.isBenign(line.body(), candidates);
    List<Integer> matched = new ArrayList<>();
    int stepBefore = step;
    boolean isOfMarks = false;
    seconds = OptionalDouble.empty();
    for (int id : candidates) {
      if (rules.isTold(id, benign)) {
        Matcher m = rules.pattern(id).matcher(line.body());
        if (m.find()) {
          matched.add(id);
          isOfMarks |= rules.isMark(id);
          read(id, m, line);
        }
      }
    }
    // A step that many ranks print is one step.
    if (step > stepBefore) {
      seconds.ifPresent(pace::add);
    }
    if (isOfMarks) {
      rules
          .marks()
          .forEach(
              (name, ids) -> mark(Objects.requireNonNull(marks.get(name)), ids, matched, line));
    }
    matched.removeIf(id -> !rules.isEvidence(id));
    if (!benign && !matched.isEmpty()) {
      matched.forEach(id -> remember(id, line));
      pairs.forEach((pair, state) -> pair(pair, state, matched, ordinal));
    }
  }

  private void remember(int id, LogLine line) {
    Lines of = lines.computeIfAbsent(id, k -> new Lines());
    if (of.quotes.size() < QUOTES) {
      Matcher m = rules.pattern(id).matcher(line.body());
      of.quotes.add(line.quote(m.find() ? m.start() : 0));
    }
    for (String subject : rules.subjects(id)) {
      if (subject.equals(FailureClass.HOST_OF_RANK)) {
        if (of.tasks.size() < MOST_SUBJECTS) {
          of.tasks.add(line.task());
        }
      } else {
        Matcher m = rules.subjectPattern(subject).matcher(line.body());
        while (of.subjects.size() < MOST_SUBJECTS && m.find()) {
          of.subjects.add(m.groupCount() > 0 && m.group(1) != null ? m.group(1) : m.group());
        }
      }
    }
  }

  private void read(int id, Matcher m, LogLine line) {
    for (Rules.Reading reading : rules.readings(id)) {
      String group = m.groupCount() > 0 ? m.group(1) : m.group();
      switch (reading) {
        case STEP -> {
          if (number(group).orElse(-1) > step) {
            step = number(group).orElse(-1);
            stepQuote = Optional.of(line.quote(m.start()));
          }
        }
        case STEP_SECONDS -> seconds = decimal(group);
        case STEPS_TOTAL -> stepsTotal = number(group).orElse(stepsTotal);
        case EXIT -> {
          exit = number(group).isPresent() ? number(group) : exit;
          exitQuote = Optional.of(line.quote(m.start()));
        }
        case HOST -> {
          if (hosts.size() < MOST_TASKS) {
            hosts.putIfAbsent(line.task(), group);
          }
        }
      }
    }
  }

  private static OptionalInt number(String digits) {
    try {
      return OptionalInt.of(Integer.parseInt(digits));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  private static OptionalDouble decimal(String text) {
    try {
      return OptionalDouble.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  private static void mark(
      MarkState state, Rules.MarkIds ids, List<Integer> matched, LogLine line) {
    boolean isOf = false;
    if (!Collections.disjoint(matched, ids.clears())) {
      state.open = 0;
      isOf = true;
    }
    if (!Collections.disjoint(matched, ids.ends())) {
      state.open = Math.max(0, state.open - 1);
      isOf = true;
    }
    if (!Collections.disjoint(matched, ids.begins())) {
      state.seen = true;
      state.open++;
      isOf = true;
    }
    if (isOf) {
      state.latest = Optional.of(line);
    }
  }

  private static void pair(Rules.Pair pair, PairState state, List<Integer> matched, long ordinal) {
    boolean main = matched.contains(pair.main());
    boolean other = matched.contains(pair.other());
    if (other) {
      state.near |= !state.mains.isEmpty() && ordinal - state.mains.getLast() <= pair.within();
      state.mains.removeIf(m -> ordinal - m <= pair.within());
      state.others.clear();
      state.others.add(ordinal);
    }
    boolean afterOther =
        !state.others.isEmpty() && ordinal - state.others.getLast() <= pair.within();
    if (main && afterOther) {
      state.near = true;
    } else if (main) {
      state.mains.add(ordinal);
    }
    // What has waited longer than its window, or among too many, has no such neighbour.
    while (!state.mains.isEmpty()
        && (ordinal - state.mains.getFirst() > pair.within()
            || state.mains.size() > MOST_WAITING)) {
      state.mains.removeFirst();
      state.alone = true;
    }
  }

  boolean has(int id) {
    return lines.containsKey(id);
  }

  /** Whether some line of the pair's first pattern has one of the other within its window. */
  boolean isNear(Rules.Pair pair) {
    PairState state = pairs.get(pair);
    return state != null && state.near;
  }

  /** Whether some line of the pair's first pattern has none of the other within its window. */
  boolean isAlone(Rules.Pair pair) {
    PairState state = pairs.get(pair);
    return state != null && (state.alone || !state.mains.isEmpty());
  }

  List<Quote> quotes(int id) {
    Lines of = lines.get(id);
    return of == null ? List.of() : of.quotes;
  }

  Stream<String> subjects(int id) {
    Lines of = lines.get(id);
    return of == null
        ? Stream.of()
        : Stream.concat(of.subjects.stream(), of.tasks.stream().flatMap(this::host));
  }

  private Stream<String> host(int task) {
    String host = hosts.get(task);
    return host != null ? Stream.of(host) : task < 0 ? Stream.of() : Stream.of("task:" + task);
  }

  boolean seen(String mark) {
    MarkState state = marks.get(mark);
    return state != null && state.seen;
  }

  boolean isOpen(String mark) {
    MarkState state = marks.get(mark);
    return state != null && state.open > 0;
  }

  Optional<Quote> latest(String mark) {
    MarkState state = marks.get(mark);
    return state == null ? Optional.empty() : state.latest.map(line -> line.quote(0));
  }

  int step() {
    return step;
  }

  int stepsTotal() {
    return stepsTotal;
  }

  /** How long the steps of this run take. */
  Pace pace() {
    return pace;
  }

  Optional<Quote> lastStep() {
    return stepQuote;
  }

  Optional<Quote> exitQuote() {
    return exitQuote;
  }

  /** What the job's own summary says. */
  OptionalInt exit() {
    return exit;
  }
}
