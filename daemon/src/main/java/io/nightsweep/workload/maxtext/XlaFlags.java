package io.nightsweep.workload.maxtext;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The flags of one {@code XLA_FLAGS} text. If a flag occurs twice, the last one counts.
 *
 * @param values by full name, without a quote around a value; a bare flag is {@code true}
 * @see <a href="https://github.com/openxla/xla/blob/main/xla/parse_flags_from_env.cc">how XLA reads
 *     its flags</a>
 */
record XlaFlags(SortedMap<String, String> values) {
  XlaFlags {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  static XlaFlags parse(String text) {
    TreeMap<String, String> values = new TreeMap<>();
    for (String word : words(text)) {
      int equals = word.indexOf('=');
      if (word.startsWith("--")) {
        values.put(
            equals < 0 ? word : word.substring(0, equals),
            equals < 0 ? "true" : word.substring(equals + 1));
      }
    }
    return new XlaFlags(values);
  }

  XlaFlags with(Map<String, String> later) {
    TreeMap<String, String> all = new TreeMap<>(values);
    later.forEach((flag, value) -> all.put(flag, value.isEmpty() ? "true" : value));
    return new XlaFlags(all);
  }

  /** How these flags differ from the other ones, as one text; empty if they mean the same. */
  String differenceFrom(XlaFlags other) {
    List<String> parts = new ArrayList<>();
    other.values.forEach(
        (flag, value) -> {
          String here = values.get(flag);
          if (here == null) {
            parts.add("no " + flag + " instead of " + flag + "=" + value);
          } else if (!same(here, value)) {
            parts.add(flag + "=" + here + " instead of " + flag + "=" + value);
          }
        });
    values.forEach(
        (flag, value) -> {
          if (!other.values.containsKey(flag)) {
            parts.add(flag + "=" + value + ", which nobody scheduled");
          }
        });
    return String.join("; ", parts);
  }

  private static boolean same(String a, String b) {
    return canonical(a).equals(canonical(b));
  }

  private static String canonical(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "1", "t", "yes" -> "1";
      case "false", "0", "f", "no" -> "0";
      default -> value;
    };
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean open = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        open = true;
      } else if (Character.isWhitespace(c)) {
        if (open) {
          words.add(word.toString());
          word.setLength(0);
          open = false;
        }
      } else {
        word.append(c);
        open = true;
      }
    }
    if (open) {
      words.add(word.toString());
    }
    return words;
  }
}
