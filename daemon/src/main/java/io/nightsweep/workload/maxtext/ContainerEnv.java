package io.nightsweep.workload.maxtext;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What {@code container_env.sh} sets whatever happens. Bash is not guessed: a variable that it sets
 * under a condition, or computes of others, is left to the launcher.
 */
final class ContainerEnv {
  private static final Pattern ASSIGNMENT =
      Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_]\\w*)=(.*)");

  private static final Pattern WITHIN_A_LINE =
      Pattern.compile(
          "(?:\\|\\||&&|;|\\{|\\b(?:then|else|do))\\s*(?:export\\s+)?([A-Za-z_]\\w*)\\+?=");

  private static final Pattern OPENS =
      Pattern.compile("^\\s*(?:if|for|while|until|case|select)\\b|[{(]\\s*(?:#.*)?$");
  private static final Pattern CLOSES = Pattern.compile("(?:^|;)\\s*(?:fi|done|esac)\\b|^\\s*[})]");

  private static final String TEXT = "([^\"'$`{}\\\\]*)";
  private static final String BARE = "([^\\s\"'$`{}\\\\;&|()<>#]*)";
  private static final String WORD = "(?:\"" + TEXT + "\"|'([^']*)'|" + BARE + ")";
  private static final String END = "\\s*(?:;.*)?(?:\\s#.*)?";

  private ContainerEnv() {}

  /** The variables whose value is sure, by name in their order. */
  static Map<String, String> values(String script) {
    Map<String, String> values = new LinkedHashMap<>();
    Set<String> conditional = new HashSet<>();
    int depth = 0;
    for (String line : script.lines().filter(l -> !l.stripLeading().startsWith("#")).toList()) {
      Matcher assignment = ASSIGNMENT.matcher(line);
      if (assignment.matches() && depth > 0) {
        conditional.add(assignment.group(1));
      } else if (assignment.matches()) {
        set(values, assignment.group(1), assignment.group(2));
      }
      Matcher within = WITHIN_A_LINE.matcher(line);
      while (within.find()) {
        conditional.add(within.group(1));
      }
      int opened = OPENS.matcher(line).find() ? 1 : 0;
      int closed = CLOSES.matcher(line).find() ? 1 : 0;
      depth = Math.max(0, depth + opened - closed);
    }
    values.keySet().removeAll(conditional);
    return values;
  }

  /** A default does not change what is there. */
  private static void set(Map<String, String> values, String name, String word) {
    if (!values.containsKey(name) || !word.contains("${" + name)) {
      values.remove(name);
      value(name, word).ifPresent(value -> values.put(name, value));
    }
  }

  /** {@code value}, {@code "value"}, or either as the default of the variable itself. */
  private static Optional<String> value(String name, String word) {
    String orDefault = "\\$\\{" + name + ":?-";
    String forms = "\"" + orDefault + TEXT + "\\}\"|" + orDefault + WORD + "\\}|" + WORD;
    Matcher m = Pattern.compile("(?:" + forms + ")" + END).matcher(word);
    return m.matches()
        ? IntStream.rangeClosed(1, m.groupCount())
            .mapToObj(m::group)
            .filter(Objects::nonNull)
            .findFirst()
        : Optional.empty();
  }
}
