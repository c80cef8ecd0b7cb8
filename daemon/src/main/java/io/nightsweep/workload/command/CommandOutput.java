package io.nightsweep.workload.command;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.LinePatternSet;
import io.nightsweep.joblog.LogListener;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.Step;
import io.nightsweep.joblog.StepTeller;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Measurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the steps and the attested environment that a command prints. */
final class CommandOutput implements LogListener {
  /**
   * The sweep file's pattern may use anything that Java knows, so every line is matched against it.
   */
  private static final PatternSet EVERY_LINE = new LinePatternSet();

  private static final PatternSet LINES_AND_WORDS =
      (buffer, from, length, found) -> {
        EVERY_LINE.scan(buffer, from, length, found);
        OutputDoubts.WORDS.scan(buffer, from, length, found);
      };

  /**
   * Limit on characters that the pattern reads in a line. A normal pattern reads each a few times;
   * only one with endless backtracking reaches the limit.
   */
  private static final int MOST_LOOKS = 4_000_000;

  /**
   * How many lines may exceed that limit before the pattern is given up; such lines count as no
   * step.
   */
  private static final int MOST_COSTLY = 100;

  /** How many steps beyond a run's length are kept. */
  private static final int MOST_BEYOND = 1_000;

  /** Characters searched for the attested environment, which precedes the command's own output. */
  private static final int MOST_ATTESTED = 1 << 20;

  private final Pattern pattern;
  private final int mostSteps;
  private final StepTeller teller;
  private final TreeMap<Integer, Measurement.MeasuredStep> steps = new TreeMap<>();
  private final TreeMap<String, String> seen = new TreeMap<>();
  private final OutputDoubts doubts = new OutputDoubts();
  private int lowest = Integer.MAX_VALUE;
  private int highest = -1;
  private int attested;
  private int costly;

  /**
   * @param steps of a whole run
   * @param teller is told each step
   */
  CommandOutput(Pattern pattern, int steps, StepTeller teller) {
    this.pattern = pattern;
    this.mostSteps = Math.clamp((long) steps + MOST_BEYOND, 0, Integer.MAX_VALUE);
    this.teller = teller;
  }

  @Override
  public PatternSet patterns() {
    return LINES_AND_WORDS;
  }

  @Override
  public void line(Line line, int[] candidates) {
    int at = line.text().indexOf(CommandWorkload.ATTEST);
    if (at >= 0) {
      attest(line.text().substring(at + CommandWorkload.ATTEST.length()));
      return;
    }
    Matcher m = pattern.matcher(new LimitedText(line.text(), MOST_LOOKS));
    boolean isStep = isFound(m, line);
    if (isStep) {
      step(line, m, pattern.namedGroups());
    }
    doubts.line(line, isStep, candidates);
  }

  private boolean isFound(Matcher m, Line line) {
    try {
      return m.find();
    } catch (LimitedText.TooManyLooksException e) {
      costly++;
      if (costly > MOST_COSTLY) {
        throw new IllegalStateException(
            "workload.pattern backtracks without end on %d lines of the log, such as '%s'"
                .formatted(costly, line.quote(0).text()),
            e);
      }
      return false;
    }
  }

  /**
   * Why the output is not a measurement; empty where it gives no reason.
   *
   * @param endedWell whether the job ended with exit code 0
   */
  Optional<Diagnosis> diagnosis(CommandSettings s, boolean endedWell) {
    return doubts.diagnosis(s, lastStep(), first(), !seen.isEmpty(), endedWell);
  }

  private void attest(String pair) {
    int equals = pair.indexOf('=');
    if (equals > 0 && attested + pair.length() <= MOST_ATTESTED) {
      attested += pair.length();
      seen.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
  }

  private void step(Line line, Matcher m, Map<String, Integer> groups) {
    OptionalDouble step = number(m, groups, "step");
    OptionalDouble seconds = number(m, groups, "seconds");
    OptionalDouble value = number(m, groups, "value");
    if (step.isPresent() && step.getAsDouble() >= 0) {
      int index = (int) step.getAsDouble();
      lowest = Math.min(lowest, index);
      highest = Math.max(highest, index);
      if (steps.size() < mostSteps) {
        steps.putIfAbsent(
            index,
            new Measurement.MeasuredStep(
                index,
                seconds.orElse(Double.NaN),
                groups.containsKey("value") ? value.orElse(Double.NaN) : seconds.orElse(Double.NaN),
                number(m, groups, "loss")));
      }
      teller.step(line, new Step(index - first(), seconds.orElse(Double.NaN)));
    }
  }

  /**
   * The number of the command's first step, 0 or 1: the lowest that was printed, since ranks print
   * in any order. A job that resumes at a later step does not show it.
   */
  private int first() {
    return lowest == 1 ? 1 : 0;
  }

  /** The last step, counted from 0 whatever the command counts from; -1 before the first. */
  int lastStep() {
    return highest < 0 ? -1 : highest - first();
  }

  /** The steps, counted from 0 whatever the command counts from. */
  List<Measurement.MeasuredStep> steps() {
    int first = first();
    return steps.values().stream()
        .map(
            step ->
                new Measurement.MeasuredStep(
                    step.index() - first, step.seconds(), step.value(), step.loss()))
        .toList();
  }

  /** The values that the job saw of the scheduled variables, by name. */
  SortedMap<String, String> seen() {
    return seen;
  }

  private static OptionalDouble number(Matcher m, Map<String, Integer> groups, String group) {
    String text = groups.containsKey(group) ? m.group(group) : null;
    if (text == null) {
      return OptionalDouble.empty();
    }
    try {
      return OptionalDouble.of(
          text.equalsIgnoreCase("nan") ? Double.NaN : Double.parseDouble(text.replace(",", "")));
    } catch (NumberFormatException e) {
      return OptionalDouble.of(Double.NaN);
    }
  }
}
