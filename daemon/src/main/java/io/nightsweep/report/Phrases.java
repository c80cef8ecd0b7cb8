package io.nightsweep.report;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

/** The report's text in one language, from {@code templates/report/}. */
final class Phrases {
  static final Phrases EN = new Phrases("en", "");
  static final Phrases ZH = new Phrases("zh", ".zh");

  private final Properties texts = new Properties();
  private final String suffix;

  private Phrases(String language, String suffix) {
    this.suffix = suffix;
    String resource = "/templates/report/" + language + ".properties";
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(Phrases.class.getResourceAsStream(resource), resource),
            StandardCharsets.UTF_8)) {
      texts.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Phrases> values() {
    return List.of(EN, ZH);
  }

  /** What stands before {@code .md} in the page's name. */
  String suffix() {
    return suffix;
  }

  Set<String> keys() {
    return texts.stringPropertyNames();
  }

  /**
   * @throws IllegalArgumentException where the catalogue lacks the key
   */
  String text(String key, Object... values) {
    String pattern = texts.getProperty(key);
    if (pattern == null) {
      throw new IllegalArgumentException("no text '" + key + "' in the report's catalogue");
    }
    StringBuilder text = new StringBuilder();
    String words = pattern.replace("''", "'");
    for (int i = 0; i < words.length(); i++) {
      boolean slot = words.charAt(i) == '{' && i + 2 < words.length() && words.charAt(i + 2) == '}';
      int index = slot ? words.charAt(i + 1) - '0' : -1;
      if (index >= 0 && index < values.length) {
        text.append(values[index]);
        i += 2;
      } else {
        text.append(words.charAt(i));
      }
    }
    return text.toString();
  }

  /** A kind that has no text of its own stands for itself. */
  String textOr(String key, String otherwise) {
    return texts.containsKey(key) ? text(key) : otherwise;
  }
}
