package io.nightsweep.workload.maxtext;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A model's {@code configs/<MODEL>.gpu.yml}: flat YAML with a key and a value on each line.
 *
 * @param text the file's text
 * @param values of the file and, for keys that it lacks, of the files from which it inherits
 */
record ModelConfig(String text, SortedMap<String, String> values) {
  private static final Pattern LINE =
      Pattern.compile("^([A-Za-z_][A-Za-z0-9_]*):[ \\t]*(.*?)[ \\t]*$", Pattern.MULTILINE);

  ModelConfig {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  static ModelConfig parse(String text) {
    TreeMap<String, String> values = new TreeMap<>();
    Matcher m = LINE.matcher(text);
    while (m.find()) {
      values.put(m.group(1), unquoted(withoutComment(m.group(2))));
    }
    return new ModelConfig(text, values);
  }

  /** This configuration, plus the keys that only its parent has. */
  ModelConfig over(ModelConfig parent) {
    return new ModelConfig(text, parent.with(values));
  }

  /** The values, overridden by others. */
  TreeMap<String, String> with(Map<String, String> overrides) {
    TreeMap<String, String> all = new TreeMap<>(values);
    all.putAll(overrides);
    return all;
  }

  /** The text with other values: existing lines are replaced, new ones added at the end. */
  String textWith(Map<String, String> overrides) {
    StringBuilder added = new StringBuilder();
    String changed = text;
    for (Map.Entry<String, String> e : new TreeMap<>(overrides).entrySet()) {
      String line = e.getKey() + ": " + e.getValue();
      Matcher m =
          Pattern.compile("^" + Pattern.quote(e.getKey()) + ":.*$", Pattern.MULTILINE)
              .matcher(changed);
      if (m.find()) {
        changed = m.replaceAll(Matcher.quoteReplacement(line));
      } else {
        added.append(line).append('\n');
      }
    }
    return changed + (changed.endsWith("\n") || changed.isEmpty() ? "" : "\n") + added;
  }

  private static String withoutComment(String value) {
    for (char quote : List.of('"', '\'')) {
      if (!value.isEmpty() && value.charAt(0) == quote) {
        int end = value.indexOf(quote, 1);
        return end < 0 ? value : value.substring(0, end + 1);
      }
    }
    int comment = value.startsWith("#") ? 0 : value.indexOf(" #");
    return comment < 0 ? value : value.substring(0, comment).strip();
  }

  private static String unquoted(String value) {
    boolean quoted =
        value.length() >= 2
            && (value.charAt(0) == '"' || value.charAt(0) == '\'')
            && value.charAt(value.length() - 1) == value.charAt(0);
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
