package io.nightsweep.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A line that a program prints in each step, and the two numbers of it that count.
 *
 * @param step counts the steps
 * @param value is what is measured
 */
record PrintedLine(String text, MatchResult step, MatchResult value) {
  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,3}(?:,\\d{3})+(?!\\d)(?:\\.\\d+)?|\\d+(?:\\.\\d+)?");

  /** A date or a time of day is one word, and no number. */
  private static final Pattern DIGITS =
      Pattern.compile("\\d+(?:[:-]\\d\\d){1,2}(?![\\d.])|" + NUMBER.pattern());

  private static final Pattern RATE =
      Pattern.compile("\\s*([A-Za-z]*(?:/[A-Za-z]+)+|[kKMGTP](?:i?B|b)ps|[A-Z]?FLOPS|fps|IOPS)\\b");

  private static final Pattern TIME = Pattern.compile("\\s*([num]?s|sec(?:ond)?s?)\\b");

  /** What stands before a step's number, the surest first. */
  private static final List<Pattern> BEFORE_STEP =
      List.of(
          endsWithWord("step"),
          endsWithWord("iter|iteration|it"),
          endsWithWord("epoch|batch|round|run|rep|repetition|pass|loop"));

  /** At most one word: what may stand before a step's number that nothing else tells. */
  private static final Pattern BEGINNING = Pattern.compile("[^\\w-]*(?:[A-Za-z_]+[^\\w-]+)?");

  /** A progress bar grows from line to line, and may end in a digit. */
  private static final Pattern BAR = Pattern.compile("%\\|([^|]*)\\|");

  private static final Pattern TOTAL = Pattern.compile("\\s*(?:of|/)\\s*(\\d+)(?![\\d/])");
  private static final Pattern BEFORE_TOTAL = Pattern.compile("\\d\\s*(?:of|/)\\s*$");
  private static final Pattern IN_A_WORD = Pattern.compile("[\\p{L}_.]$");

  private static Pattern endsWithWord(String words) {
    return Pattern.compile("(?i)(?<![a-z])(?:" + words + ")[^\\p{L}\\d]{0,4}$");
  }

  /** Empty where no number of the line counts the steps, or none beside it is measured. */
  static Optional<PrintedLine> of(String text) {
    return step(text).flatMap(step -> value(text, step).map(v -> new PrintedLine(text, step, v)));
  }

  /** What a line lacks of which nothing can be made. */
  static String lack(String text) {
    return step(text)
        .map(step -> "beside its step, " + step.group() + ", no number in it is measured")
        .orElse("no number in it counts the steps");
  }

  /** A number glued to letters, as in {@code sha256}, counts steps only behind a word for them. */
  private static Optional<MatchResult> step(String text) {
    List<MatchResult> whole =
        numbers(text).filter(n -> n.group().matches("\\d+") && unit(text, n).isEmpty()).toList();
    List<Predicate<MatchResult>> signs = new ArrayList<>();
    BEFORE_STEP.forEach(word -> signs.add(n -> word.matcher(before(text, n)).find()));
    signs.add(n -> isFree(text, n) && TOTAL.matcher(behind(text, n)).lookingAt());
    signs.add(n -> BEGINNING.matcher(before(text, n)).matches());
    return signs.stream().flatMap(sign -> whole.stream().filter(sign).limit(1)).findFirst();
  }

  /** A rate before a time, since many programs print both; else the largest number. */
  private static Optional<MatchResult> value(String text, MatchResult step) {
    List<MatchResult> others =
        numbers(text).filter(n -> n.start() != step.start() && isFree(text, n)).toList();
    return others.stream()
        .filter(n -> unit(text, n, RATE).isPresent())
        .findFirst()
        .or(() -> others.stream().filter(n -> unit(text, n).isPresent()).findFirst())
        .or(() -> others.stream().max(Comparator.comparingDouble(PrintedLine::amount)));
  }

  private static Stream<MatchResult> numbers(String text) {
    return DIGITS.matcher(text).results().filter(n -> NUMBER.matcher(n.group()).matches());
  }

  /** Whether a number is neither part of a word nor how many there are of another. */
  private static boolean isFree(String text, MatchResult number) {
    String before = before(text, number);
    return !IN_A_WORD.matcher(before).find() && !BEFORE_TOTAL.matcher(before).find();
  }

  private static double amount(MatchResult number) {
    return Double.parseDouble(number.group().replace(",", ""));
  }

  private static String before(String text, MatchResult number) {
    return text.substring(0, number.start());
  }

  private static String behind(String text, MatchResult number) {
    return text.substring(number.end());
  }

  private static Optional<String> unit(String text, MatchResult number) {
    return unit(text, number, RATE).or(() -> unit(text, number, TIME));
  }

  private static Optional<String> unit(String text, MatchResult number, Pattern kind) {
    Matcher unit = kind.matcher(behind(text, number));
    return unit.lookingAt()
        ? Optional.of(unit.group(1).replaceFirst("^sec.*", "s"))
        : Optional.empty();
  }

  /** The unit of what is measured; empty where none stands behind it. */
  Optional<String> unit() {
    return unit(text, value);
  }

  /** How many steps there are, where the line says so, as in {@code step 9 of 20}. */
  Optional<String> total() {
    Matcher total = TOTAL.matcher(behind(text, step));
    return total.lookingAt() ? Optional.of(total.group(1)) : Optional.empty();
  }

  /** What was read from the line, for whoever typed it. */
  String words() {
    return "step %s, value %s%s"
        .formatted(step.group(), value.group(), unit().map(u -> " " + u).orElse(""));
  }

  /** A pattern of all lines like it. */
  String pattern() {
    StringBuilder pattern = new StringBuilder();
    // Numbers are set to the right: what stands before the first of them varies.
    int from = text.length() - text.stripLeading().length();
    int end = Math.max(step.end(), value.end());
    Optional<MatchResult> bar = BAR.matcher(text).results().findFirst();
    for (MatchResult digits : DIGITS.matcher(text).results().toList()) {
      boolean isInBar = bar.filter(b -> isWithin(b, digits.start())).isPresent();
      if (digits.end() <= end && !isInBar) {
        pattern.append(between(from, digits.start(), bar)).append(group(digits));
        from = digits.end();
      }
    }
    return pattern.toString();
  }

  private String between(int from, int to, Optional<MatchResult> bar) {
    return bar.filter(b -> from <= b.start(1) && b.end(1) <= to)
        .map(
            b ->
                quoted(text.substring(from, b.start(1)))
                    + "[^|]*"
                    + quoted(text.substring(b.end(1), to)))
        .orElseGet(() -> quoted(text.substring(from, to)));
  }

  private static boolean isWithin(MatchResult bar, int at) {
    return bar.start(1) <= at && at < bar.end(1);
  }

  private String group(MatchResult digits) {
    if (digits.start() == step.start()) {
      return "(?<step>\\d+)";
    }
    if (digits.start() == value.start()) {
      return value.group().contains(",") ? "(?<value>[\\d.,]*\\d)" : "(?<value>[\\d.]*\\d)";
    }
    return "[\\d.,:-]+";
  }

  private static String quoted(String text) {
    return text.replaceAll("[\\\\.\\[\\]{}()*+?^$|]", "\\\\$0").replaceAll("\\s+", "\\\\s+");
  }
}
