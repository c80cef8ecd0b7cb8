package io.nightsweep.workload.maxtext;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a model's {@code configs/<MODEL>.env.sh} sets, read without running it: bash alone knows
 * which branch a job takes.
 *
 * @param settings in the order of the file
 */
record EnvFile(List<Setting> settings) {
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?:export\\s+)?([A-Z][A-Z0-9_]*)\\+?=(.*)");

  /** One word of bash, without commands in it and without flags that an expansion may leave out. */
  private static final Pattern WORD =
      Pattern.compile(
          "(?:\"(?:[^\"`$]|\\$(?!\\()(?!\\{[^}]*--))*\"|'[^']*'|[^\\s;&|\"'`()<>$]*)\\s*(?:#.*)?");

  private static final Pattern OPENS =
      Pattern.compile("(?:if|case|for|while|until|select)\\b.*|.*[({]\\s*(?:#.*)?");
  private static final Pattern CLOSES = Pattern.compile("(?:fi|esac|done)\\b.*|[)}].*");
  private static final Pattern OPENS_AND_CLOSES =
      Pattern.compile("(?:if|case|for|while|until|select)\\b.*\\b(?:fi|esac|done)\\s*;?");

  /** What comes after such a line is not reached in every job, or is no command. */
  private static final Pattern LEAVES = Pattern.compile(".*(?:\\b(?:return|exit|exec)\\b|<<).*");

  /** Such a line may set anything. */
  private static final Pattern SOURCES =
      Pattern.compile(".*(?:(?:^|[;&|\\s])\\.\\s|\\b(?:source|eval)\\b).*");

  private static final Pattern FLAG = Pattern.compile("--xla_\\w+");

  /**
   * @param written the right-hand side as it stands in the file
   * @param isCertain whether each job of the model gets it: it is exported outside of all branches,
   *     and no branch sets it again
   */
  record Setting(String variable, String written, boolean isCertain) {}

  /** A line of bash, and the assignment that it is, if it is one. */
  private record Command(String text, String variable, String value, boolean isPlain) {
    /** Whether some jobs may lose by this line what an earlier one set. */
    boolean mayUndo(Command earlier) {
      String name = earlier.variable;
      boolean sets =
          Pattern.compile("\\b" + name + "\\+?=|\\bunset\\b.*\\b" + name + "\\b")
              .matcher(text)
              .find();
      return !isPlain && (SOURCES.matcher(text).matches() || (sets && !addsTo(earlier)));
    }

    /** Whether flags are added of which the earlier assignment has none. */
    private boolean addsTo(Command earlier) {
      return text.matches(".*\\bXLA_FLAGS(?:\\+=|=\"?\\$\\{?XLA_FLAGS).*")
          && FLAG.matcher(text).results().noneMatch(f -> earlier.text.contains(f.group()));
    }
  }

  EnvFile {
    settings = List.copyOf(settings);
  }

  static EnvFile parse(String text) {
    List<Command> commands = commands(text);
    List<Setting> settings = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      Command own = commands.get(i);
      if (!own.variable.isEmpty()) {
        settings.add(
            new Setting(
                own.variable,
                own.value,
                own.isPlain
                    && isExported(own.variable, text)
                    && commands.stream().skip(i + 1L).noneMatch(later -> later.mayUndo(own))));
      }
    }
    return new EnvFile(settings);
  }

  private static List<Command> commands(String text) {
    List<Command> commands = new ArrayList<>();
    int depth = 0;
    boolean isReached = true;
    for (String raw : text.replace("\\\n", " ").lines().toList()) {
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher m = ASSIGNMENT.matcher(line);
      boolean assigns = m.matches();
      boolean isWord = assigns && WORD.matcher(m.group(2)).matches();
      if (!isWord) {
        depth -= CLOSES.matcher(line).matches() ? 1 : 0;
      }
      commands.add(
          new Command(
              line,
              assigns ? m.group(1) : "",
              assigns ? m.group(2).strip() : "",
              isWord && isReached && depth == 0));
      if (!isWord) {
        boolean opens = OPENS.matcher(line).matches() && !OPENS_AND_CLOSES.matcher(line).matches();
        depth += opens ? 1 : 0;
        boolean isWhole = line.chars().filter(c -> c == '"').count() % 2 == 0;
        isReached &= depth >= 0 && isWhole && !LEAVES.matcher(line).matches();
      }
    }
    return commands;
  }

  /** Those of the training's own environment reach the training in any case. */
  private static boolean isExported(String variable, String text) {
    return variable.equals(EnvBlock.XLA_FLAGS)
        || Pattern.compile("(?m)^\\s*export\\s(?:.*\\s)?" + variable + "\\b").matcher(text).find();
  }
}
