package io.nightsweep.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A line that a program prints in each step, with its two numbers of interest.
 *
 * @param step counts the steps
 * @param value the measured value
 */
record PrintedLine(String text, MatchResult step, MatchResult value) {
  /**
   * The candidate numbers of a line, the likeliest first.
   *
   * @param isSure whether the first is certainly the right one
   */
  record NumberChoice(List<MatchResult> numbers, boolean isSure) {}

  private static final Pattern NUMBER =
      Pattern.compile(
          "(?:(?<=^|[\\s=:(\\[])-)?(?:\\d{1,3}(?:,\\d{3})+(?!\\d)(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)(?:[eE][-+]?\\d+(?!\\w))?");

  /** A date or a time of day counts as a word and not as numbers. */
  private static final Pattern DIGITS =
      Pattern.compile("\\d+(?:[:-]\\d\\d){1,2}(?![\\d.])|" + NUMBER.pattern());

  private static final Pattern RATE =
      Pattern.compile("\\s*([A-Za-z]*(?:/[A-Za-z]+)+|[kKMGTP](?:i?B|b)ps|[A-Z]?FLOPS|fps|IOPS)\\b");

  private static final Pattern TIME = Pattern.compile("\\s*([num]?s|msec|usec|sec(?:ond)?s?)\\b");

  /** The words before a number that counts steps. */
  private static final Pattern STEP = endsWithWord("step");

  private static final Pattern ITERATION = endsWithWord("iter|iteration|it");
  private static final Pattern ROUND =
      endsWithWord("epoch|batch|round|run|rep|repetition|pass|loop");

  /** The words before a result figure that should be the same in every run. */
  private static final Pattern LOSS = endsWithWord("loss");

  /** Words that turn a word for steps into a total or a limit, as in {@code max step 500}. */
  private static final Pattern BOUND =
      Pattern.compile("(?i)(?<![a-z])(?:total|max|min|num|number|per)[\\s_-]*[a-z]+\\W*$");

  /** A progress bar changes from line to line and may end in a digit. */
  private static final Pattern BAR = Pattern.compile("%\\|([^|]*)\\|");

  private static final Pattern TOTAL = Pattern.compile("\\s*(?:of|/)\\s*(\\d+)(?![\\d/.])");

  /** A total of bytes, files and the like; a total of steps has no unit. */
  private static final Pattern TOTAL_OF_THINGS =
      Pattern.compile(TOTAL.pattern() + "\\s*\\p{L}(?!\\p{L}*[:=])");

  private static final Pattern BEFORE_TOTAL = Pattern.compile("\\d\\s*(?:of|/)\\s*$");
  private static final Pattern IN_A_WORD = Pattern.compile("[\\p{L}_.@]$|[\\p{L}\\d]-$");

  private static final Pattern WORDS_BEFORE = Pattern.compile("(?:\\S+\\s+)?\\S*$");
  private static final Pattern WORDS_BEHIND = Pattern.compile("\\S*(?:\\s+[\\p{L}%(]\\S*)?");

  private static Pattern endsWithWord(String words) {
    return Pattern.compile("(?i)(?<![a-z])(?:" + words + ")(?:\\s*[^\\p{L}\\d\\s]{0,2}){2}\\s*$");
  }

  /**
   * Numbers that may count the steps. The choice is sure if exactly one has a word for steps or a
   * total; otherwise a person must decide.
   */
  static NumberChoice steps(String text) {
    List<MatchResult> whole =
        numbers(text)
            .filter(n -> n.group().matches("\\d+") && unit(text, n).isEmpty())
            .filter(n -> !behind(text, n).startsWith("%"))
            .toList();
    List<Predicate<MatchResult>> signs =
        List.of(
            n -> isBehind(STEP, text, n),
            n -> isBehind(ITERATION, text, n),
            n -> isBehind(ROUND, text, n) || (isFree(text, n) && hasTotal(text, n)));
    for (Predicate<MatchResult> sign : signs) {
      List<MatchResult> told = whole.stream().filter(sign).toList();
      if (!told.isEmpty()) {
        return new NumberChoice(told, told.size() == 1);
      }
    }
    return new NumberChoice(
        whole.stream().filter(n -> isFree(text, n) && isAlone(text, n)).toList(), false);
  }

  private static boolean isBehind(Pattern word, String text, MatchResult number) {
    String before = before(text, number);
    return word.matcher(before).find() && !BOUND.matcher(before).find();
  }

  private static boolean hasTotal(String text, MatchResult number) {
    String behind = behind(text, number);
    return TOTAL.matcher(behind).lookingAt() && !TOTAL_OF_THINGS.matcher(behind).lookingAt();
  }

  /** Whether the number ends without a letter, unlike {@code 512k}. */
  private static boolean isAlone(String text, MatchResult number) {
    return !behind(text, number).matches("(?s)\\p{L}.*");
  }

  /** Numbers that may be the measured value: rates before times, since many programs print both. */
  static NumberChoice values(String text, MatchResult step) {
    List<MatchResult> others =
        numbers(text).filter(n -> n.start() != step.start() && isFree(text, n)).toList();
    List<MatchResult> rates = others.stream().filter(n -> unit(text, n, RATE).isPresent()).toList();
    List<MatchResult> timesFirst =
        others.stream().sorted(Comparator.comparing(n -> unit(text, n, TIME).isEmpty())).toList();
    List<MatchResult> numbers = rates.isEmpty() ? timesFirst : rates;
    return new NumberChoice(numbers, numbers.size() == 1);
  }

  /** A number with its adjacent words, so that a person recognises it. */
  static String shown(String text, MatchResult number) {
    Matcher before = WORDS_BEFORE.matcher(before(text, number));
    Matcher behind = WORDS_BEHIND.matcher(behind(text, number));
    return ((before.find() ? before.group() : "")
            + number.group()
            + (behind.lookingAt() ? behind.group() : ""))
        .strip();
  }

  private static Stream<MatchResult> numbers(String text) {
    return DIGITS.matcher(text).results().filter(n -> NUMBER.matcher(n.group()).matches());
  }

  /** Whether a number is neither part of a word nor the total of another number. */
  private static boolean isFree(String text, MatchResult number) {
    String before = before(text, number);
    return !IN_A_WORD.matcher(before).find() && !BEFORE_TOTAL.matcher(before).find();
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
        ? Optional.of(unit.group(1).replaceFirst("^([mu]?)sec.*", "$1s"))
        : Optional.empty();
  }

  /** The unit of the measured value; empty where no unit follows the value. */
  Optional<String> unit() {
    return unit(text, value);
  }

  /** The total number of steps where the line has it, as in {@code step 9 of 20}. */
  Optional<String> total() {
    Matcher total = TOTAL.matcher(behind(text, step));
    return total.lookingAt() ? Optional.of(total.group(1)) : Optional.empty();
  }

  /** The figure that the line calls a loss; empty where there are none or several. */
  Optional<MatchResult> loss() {
    List<MatchResult> losses =
        numbers(text)
            .filter(n -> n.start() != step.start() && n.start() != value.start())
            .filter(n -> isBehind(LOSS, text, n))
            .toList();
    return losses.size() == 1 ? Optional.of(losses.getFirst()) : Optional.empty();
  }

  /** Describes what was read from the line, for the person who typed it. */
  String words() {
    return "step %s, value %s%s%s"
        .formatted(
            step.group(),
            value.group(),
            unit().map(u -> " " + u).orElse(""),
            loss().map(l -> ", loss " + l.group()).orElse(""));
  }

  /** A pattern that matches all lines of this form. */
  String pattern() {
    StringBuilder pattern = new StringBuilder();
    // Numbers are right-aligned, so the space before the first one varies.
    int from = text.length() - text.stripLeading().length();
    Optional<MatchResult> loss = loss();
    int end = Math.max(Math.max(step.end(), value.end()), loss.map(MatchResult::end).orElse(0));
    Optional<MatchResult> bar = BAR.matcher(text).results().findFirst();
    for (MatchResult digits : DIGITS.matcher(text).results().toList()) {
      boolean isInBar = bar.filter(b -> isWithin(b, digits.start())).isPresent();
      if (digits.end() <= end && !isInBar) {
        pattern.append(between(from, digits.start(), bar)).append(group(digits, loss));
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

  private String group(MatchResult digits, Optional<MatchResult> loss) {
    if (digits.start() == step.start()) {
      return "(?<step>\\d+)";
    }
    if (digits.start() == value.start()) {
      return value.group().contains(",")
          ? "(?<value>-?[\\d.,]*\\d)"
          : "(?<value>-?[\\d.]*\\d(?:[eE][-+]?\\d+)?)";
    }
    return loss.filter(l -> l.start() == digits.start()).isPresent()
        ? "(?<loss>-?[\\d.]*\\d(?:[eE][-+]?\\d+)?|nan|-?inf)"
        : "[\\d.,:eE+-]+";
  }

  private static String quoted(String text) {
    return text.replaceAll("[\\\\.\\[\\]{}()*+?^$|]", "\\\\$0").replaceAll("\\s+", "\\\\s+");
  }
}
