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
 * A line that a program prints in each step, and the two numbers of it that count.
 *
 * @param step counts the steps
 * @param value is what is measured
 */
record PrintedLine(String text, MatchResult step, MatchResult value) {
  /**
   * The numbers of a line that may be what is looked for, the likeliest first.
   *
   * @param isSure whether the line leaves no doubt that it is the first
   */
  record NumberChoice(List<MatchResult> numbers, boolean isSure) {}

  private static final Pattern NUMBER =
      Pattern.compile(
          "(?:(?<=^|[\\s=:(\\[])-)?(?:\\d{1,3}(?:,\\d{3})+(?!\\d)(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)(?:[eE][-+]?\\d+(?!\\w))?");

  /** A date or a time of day is one word, and no number. */
  private static final Pattern DIGITS =
      Pattern.compile("\\d+(?:[:-]\\d\\d){1,2}(?![\\d.])|" + NUMBER.pattern());

  private static final Pattern RATE =
      Pattern.compile("\\s*([A-Za-z]*(?:/[A-Za-z]+)+|[kKMGTP](?:i?B|b)ps|[A-Z]?FLOPS|fps|IOPS)\\b");

  private static final Pattern TIME = Pattern.compile("\\s*([num]?s|msec|usec|sec(?:ond)?s?)\\b");

  /** What stands before a number that counts steps. */
  private static final Pattern STEP = endsWithWord("step");

  private static final Pattern ITERATION = endsWithWord("iter|iteration|it");
  private static final Pattern ROUND =
      endsWithWord("epoch|batch|round|run|rep|repetition|pass|loop");

  /** What stands before a figure of the result that every run should come to. */
  private static final Pattern LOSS = endsWithWord("loss");

  /** What a word for steps is no counter behind, as in {@code max step 500}. */
  private static final Pattern BOUND =
      Pattern.compile("(?i)(?<![a-z])(?:total|max|min|num|number|per)[\\s_-]*[a-z]+\\W*$");

  /** A progress bar grows from line to line, and may end in a digit. */
  private static final Pattern BAR = Pattern.compile("%\\|([^|]*)\\|");

  private static final Pattern TOTAL = Pattern.compile("\\s*(?:of|/)\\s*(\\d+)(?![\\d/.])");

  /** Of bytes, files and the like; steps have no unit. */
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
   * What may count the steps. A word or a total tells it where there is one such number; of a
   * number that merely stands there only a person knows.
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

  /** Whether no letter stands at a number's end, as it does in {@code 512k}. */
  private static boolean isAlone(String text, MatchResult number) {
    return !behind(text, number).matches("(?s)\\p{L}.*");
  }

  /** What may be measured: a rate before a time, since many programs print both. */
  static NumberChoice values(String text, MatchResult step) {
    List<MatchResult> others =
        numbers(text).filter(n -> n.start() != step.start() && isFree(text, n)).toList();
    List<MatchResult> rates = others.stream().filter(n -> unit(text, n, RATE).isPresent()).toList();
    List<MatchResult> timesFirst =
        others.stream().sorted(Comparator.comparing(n -> unit(text, n, TIME).isEmpty())).toList();
    List<MatchResult> numbers = rates.isEmpty() ? timesFirst : rates;
    return new NumberChoice(numbers, numbers.size() == 1);
  }

  /** A number and the words beside it, by which a person knows it. */
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

  /** Whether a number is neither part of a word nor how many there are of another. */
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

  /** How many steps there are, where the line says so, as in {@code step 9 of 20}. */
  Optional<String> total() {
    Matcher total = TOTAL.matcher(behind(text, step));
    return total.lookingAt() ? Optional.of(total.group(1)) : Optional.empty();
  }

  /** The one figure of the result that the line calls a loss; empty where none or several do. */
  Optional<MatchResult> loss() {
    List<MatchResult> losses =
        numbers(text)
            .filter(n -> n.start() != step.start() && n.start() != value.start())
            .filter(n -> isBehind(LOSS, text, n))
            .toList();
    return losses.size() == 1 ? Optional.of(losses.getFirst()) : Optional.empty();
  }

  /** What was read from the line, for whoever typed it. */
  String words() {
    return "step %s, value %s%s%s"
        .formatted(
            step.group(),
            value.group(),
            unit().map(u -> " " + u).orElse(""),
            loss().map(l -> ", loss " + l.group()).orElse(""));
  }

  /** A pattern of all lines like it. */
  String pattern() {
    StringBuilder pattern = new StringBuilder();
    // Numbers are set to the right: what stands before the first of them varies.
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
        ? "(?<loss>-?[\\d.]*\\d(?:[eE][-+]?\\d+)?|nan)"
        : "[\\d.,:eE+-]+";
  }

  private static String quoted(String text) {
    return text.replaceAll("[\\\\.\\[\\]{}()*+?^$|]", "\\\\$0").replaceAll("\\s+", "\\\\s+");
  }
}
