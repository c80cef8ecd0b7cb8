package io.nightsweep.workload.maxtext;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The settings of a bash file such as {@code container_env.sh} or a model's {@code
 * configs/<MODEL>.env.sh}, read without running it; which branches a job executes is not known.
 *
 * @param settings in the order of the file
 */
record BashFile(List<Setting> settings) {
  private static final String NAME = "(?:export\\s+)?([A-Z][A-Z0-9_]*)(\\+?)=";

  /** One word of bash without commands, and without flags that an expansion may drop. */
  private static final String WORD =
      "(?:\"(?:[^\"`$]|\\$(?!\\()(?!\\{[^}]*--))*\"|'[^']*'|\\$\\{\\w+:?-(?:\"[^\"`$]*\"|'[^']*'|[^\\s;&|\"'`()<>${}]*)}|[^\\s;&|\"'`()<>$]*)";

  private static final Pattern ASSIGNMENT = Pattern.compile(NAME + "(.*)");
  private static final Pattern PLAIN = Pattern.compile(NAME + "(" + WORD + "\\s*(?:#.*)?)");

  /** Several assignments on one line. */
  private static final Pattern PLAINS =
      Pattern.compile("(?:" + NAME + WORD + "\\s*;\\s*)+" + NAME + WORD + ";?\\s*(?:#.*)?");

  private static final Pattern ONE_OF_SEVERAL = Pattern.compile(NAME + "(" + WORD + ")\\s*(?:;|$)");

  private static final Pattern OPENS =
      Pattern.compile("(?:if|case|for|while|until|select)\\b.*|.*[({]\\s*(?:#.*)?");
  private static final Pattern CLOSES = Pattern.compile("(?:fi|esac|done)\\b.*|[)}].*");
  private static final Pattern OPENS_AND_CLOSES =
      Pattern.compile("(?:if|case|for|while|until|select)\\b.*\\b(?:fi|esac|done)\\s*;?");

  /** A line after which text may be unreachable or not a command. */
  private static final Pattern LEAVES =
      Pattern.compile(".*(?:\\b(?:return|exit|exec)\\b|(?<!<)<<(?!<)).*");

  /** A line that may set anything, */
  private static final Pattern SOURCES =
      Pattern.compile(".*(?:(?:^|[;&|\\s])\\.\\s|\\b(?:source|eval)\\b).*");

  /** unless it sources one file beside this one. */
  private static final Pattern SOURCES_BESIDE =
      Pattern.compile("(?:source|\\.)\\s+\"?\\$\\{BASH_SOURCE(?:\\[0])?%/\\*}\"?/([\\w.-]+)\"?");

  private static final Pattern FLAG = Pattern.compile("--xla_\\w+");

  private static final String TEXT = "([^\"'$`{}\\\\]*)";
  private static final String LITERAL =
      "(?:\"" + TEXT + "\"|'([^']*)'|([^\\s\"'$`{}\\\\;&|()<>#]*))";

  /**
   * @param written the right-hand side as it stands in the file
   * @param isCertain whether every job gets it: it is outside all branches, and no branch sets it
   *     again
   * @param isExported whether programs started by the shell get it
   * @param value the text if it is literal, or the default of the variable itself if nothing before
   *     it can have set the variable
   */
  record Setting(
      String variable,
      String written,
      boolean isCertain,
      boolean isExported,
      Optional<String> value) {}

  /**
   * A command of bash; if it is an assignment, its parts.
   *
   * @param adds whether it adds to the variable's present value
   * @param isPlain whether every job runs it, and it assigns exactly one word
   * @param sourced the text of the file that it sources; empty where unknown
   */
  private record BashCommand(
      String text,
      String variable,
      boolean adds,
      String value,
      boolean isPlain,
      Optional<String> sourced) {
    boolean assigns() {
      return !variable.isEmpty();
    }

    /** Whether this command may change the variable in some jobs. */
    boolean maySet(String name) {
      return !isPlain
          && (SOURCES.matcher(text).matches()
              ? sourced.isEmpty() || sets(sourced.get(), name)
              : sets(text, name));
    }

    /** Whether this command may undo an earlier one in some jobs. */
    boolean mayUndo(BashCommand earlier) {
      return maySet(earlier.variable) && !addsTo(earlier);
    }

    /** Whether it adds only flags that the earlier assignment does not have. */
    private boolean addsTo(BashCommand earlier) {
      return text.matches(".*\\bXLA_FLAGS(?:\\+=|=\"?\\$\\{?XLA_FLAGS).*")
          && FLAG.matcher(text).results().noneMatch(f -> earlier.text.contains(f.group()));
    }

    private static boolean sets(String text, String name) {
      return Pattern.compile("\\b" + name + "\\+?=|\\bunset\\b.*\\b" + name + "\\b")
          .matcher(text)
          .find();
    }
  }

  BashFile {
    settings = List.copyOf(settings);
  }

  /**
   * @param beside returns the text of a file in the same folder by name; empty where it is missing
   *     or unreadable
   */
  static BashFile parse(String text, Function<String, String> beside) {
    List<BashCommand> commands = commands(text, beside);
    List<Setting> settings = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      BashCommand own = commands.get(i);
      if (own.assigns()) {
        List<BashCommand> before = commands.subList(0, i);
        settings.add(
            new Setting(
                own.variable,
                own.value,
                own.isPlain
                    && commands.stream().skip(i + 1L).noneMatch(later -> later.mayUndo(own)),
                isExported(own.variable, text),
                literal(own, before)));
      }
    }
    return new BashFile(settings);
  }

  /** The variables with a certain value, by name in their order. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (Setting setting : settings) {
      values.remove(setting.variable);
      setting.value.filter(v -> setting.isCertain).ifPresent(v -> values.put(setting.variable, v));
    }
    return values;
  }

  private static List<BashCommand> commands(String text, Function<String, String> beside) {
    List<BashCommand> commands = new ArrayList<>();
    int depth = 0;
    boolean isReached = true;
    for (String raw : text.replace("\\\n", " ").lines().toList()) {
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      boolean isTop = isReached && depth == 0;
      Matcher plain = PLAIN.matcher(line);
      if (plain.matches()) {
        commands.add(assignment(line, plain.toMatchResult(), isTop));
      } else if (PLAINS.matcher(line).matches()) {
        ONE_OF_SEVERAL
            .matcher(line.replaceFirst("\\s+#.*", ""))
            .results()
            .forEach(one -> commands.add(assignment(one.group(), one, isTop)));
      } else {
        Matcher m = ASSIGNMENT.matcher(line);
        depth -= CLOSES.matcher(line).matches() ? 1 : 0;
        commands.add(
            m.matches()
                ? assignment(line, m.toMatchResult(), false)
                : new BashCommand(line, "", false, "", false, sourced(line, beside)));
        boolean opens = OPENS.matcher(line).matches() && !OPENS_AND_CLOSES.matcher(line).matches();
        depth += opens ? 1 : 0;
        boolean isWhole = line.chars().filter(c -> c == '"').count() % 2 == 0;
        isReached &= depth >= 0 && isWhole && !LEAVES.matcher(line).matches();
      }
    }
    return commands;
  }

  private static BashCommand assignment(String text, MatchResult m, boolean isPlain) {
    return new BashCommand(
        text,
        Objects.requireNonNull(m.group(1)),
        !Objects.requireNonNull(m.group(2)).isEmpty(),
        Objects.requireNonNull(m.group(3)).strip(),
        isPlain,
        Optional.empty());
  }

  private static Optional<String> sourced(String line, Function<String, String> beside) {
    Matcher m = SOURCES_BESIDE.matcher(line);
    return m.matches() ? Optional.of(beside.apply(m.group(1))) : Optional.empty();
  }

  /** The value in {@code value}, {@code "value"}, or either as the variable's own default. */
  private static Optional<String> literal(BashCommand own, List<BashCommand> before) {
    String orDefault = "\\$\\{" + own.variable + ":?-";
    String defaults = "\"" + orDefault + TEXT + "}\"|" + orDefault + LITERAL + "}";
    String end = "\\s*(?:#.*)?";
    boolean isDefault = own.value.matches("(?:" + defaults + ")" + end);
    if (own.adds || (isDefault && before.stream().anyMatch(c -> c.maySet(own.variable)))) {
      return Optional.empty();
    }
    Matcher m = Pattern.compile("(?:" + defaults + "|" + LITERAL + ")" + end).matcher(own.value);
    Optional<String> written =
        m.matches()
            ? IntStream.rangeClosed(1, m.groupCount())
                .mapToObj(m::group)
                .filter(Objects::nonNull)
                .findFirst()
            : Optional.empty();
    // A default does not change a variable that is set.
    Optional<BashCommand> set =
        before.reversed().stream().filter(c -> c.variable.equals(own.variable)).findFirst();
    return isDefault && set.isPresent()
        ? literal(set.get(), before.subList(0, before.indexOf(set.get())))
            .filter(value -> !value.isEmpty())
        : written;
  }

  /**
   * Whether programs get the variable; those of the training's own environment always reach the
   * training.
   */
  private static boolean isExported(String variable, String text) {
    return variable.equals(EnvBlock.XLA_FLAGS)
        || Pattern.compile("(?m)^\\s*export\\s(?:.*\\s)?" + variable + "\\b").matcher(text).find();
  }
}
