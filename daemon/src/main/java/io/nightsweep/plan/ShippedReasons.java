package io.nightsweep.plan;

import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The reasons that the shipped plans give for their waves. They are phrases of the reports'
 * catalogues, so that a report has them in its reader's language.
 */
final class ShippedReasons {
  private static final String KEYS = "said.";

  private static final Map<String, Statement> BY_TEXT = read();

  private ShippedReasons() {}

  /** The reason as a phrase, or as a person's own words. */
  static Statement of(String reason) {
    return BY_TEXT.getOrDefault(reason, Statement.words(reason));
  }

  private static Map<String, Statement> read() {
    Properties texts = new Properties();
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(
                ShippedReasons.class.getResourceAsStream("/templates/report/en.properties")),
            StandardCharsets.UTF_8)) {
      texts.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts.stringPropertyNames().stream()
        .filter(key -> key.startsWith(KEYS + "why-"))
        .collect(
            Collectors.toMap(
                key -> texts.getProperty(key).replace("''", "'"),
                key -> Statement.phrase(key.substring(KEYS.length()))));
  }
}
