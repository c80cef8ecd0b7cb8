package io.nightsweep.report;

import static java.util.stream.Collectors.joining;

import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The texts of the report and the page in one language, from {@code templates/report/}. */
public final class Phrases {
  public static final Phrases EN = new Phrases("en", "");
  public static final Phrases ZH = new Phrases("zh", ".zh");

  static final String SAID = "said.";

  /** {@code {0#node|nodes}}: the first word where the value is 1, else the second. */
  private static final Pattern PLURAL = Pattern.compile("\\{(\\d)#([^|}]*)\\|([^}]*)}");

  private final Properties texts = new Properties();
  private final String suffix;
  private @Nullable Said said;

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

  public static List<Phrases> values() {
    return List.of(EN, ZH);
  }

  /** The part of a page's name before {@code .md} that identifies the language. */
  public String suffix() {
    return suffix;
  }

  public Set<String> keys() {
    return texts.stringPropertyNames();
  }

  /**
   * @throws IllegalArgumentException where the catalogue lacks the key
   */
  public String text(String key, Object... values) {
    String pattern = texts.getProperty(key);
    if (pattern == null) {
      throw new IllegalArgumentException("no text '" + key + "' in the report's catalogue");
    }
    StringBuilder text = new StringBuilder();
    String words = plurals(pattern.replace("''", "'"), values);
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

  /** The sentence of a statement; if the catalogue lacks its phrase, the key itself. */
  public String text(Statement statement) {
    return switch (statement) {
      case Statement.Words w -> w.text();
      case Statement.Row r -> r.parts().stream().map(this::text).collect(joining(r.joint()));
      case Statement.Phrase p ->
          texts.containsKey(SAID + p.key())
              ? text(SAID + p.key(), p.values().stream().map(this::text).toArray())
              : p.key() + p.values().stream().map(this::text).toList();
    };
  }

  /**
   * An English sentence of an earlier journal in this language; see {@link Said}.
   *
   * @return the translation, or the English sentence if the catalogue lacks it
   */
  public String said(String english) {
    if (this == EN) {
      return english;
    }
    if (said == null) {
      said = new Said(EN, this);
    }
    return said.of(english);
  }

  private static String plurals(String pattern, Object... values) {
    return PLURAL
        .matcher(pattern)
        .replaceAll(
            m -> {
              int index = Integer.parseInt(m.group(1));
              boolean one = index < values.length && "1".equals(String.valueOf(values[index]));
              return Matcher.quoteReplacement(m.group(one ? 2 : 3));
            });
  }

  /** The text of a constant, with a key such as {@code kind.screen}. */
  public String word(String kind, Enum<?> constant) {
    return text(kind + "." + LowerCase.of(constant));
  }

  /** The text, or the fallback if the key has none. */
  public String textOr(String key, String otherwise) {
    return texts.containsKey(key) ? text(key) : otherwise;
  }
}
