package io.nightsweep.journal;

import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Converts the English sentences that journals held up to schema 8 to statements. {@code
 * schema-7.properties} contains each sentence under its phrase's key, with placeholders for the
 * variable parts; schema 8 had no others.
 */
final class OldSentences {
  private static final Pattern PLACE = Pattern.compile("\\{(\\d)}");

  /** A failure class or a file name that precedes a sentence about it. */
  private static final Pattern ABOUT = Pattern.compile("([\\w.-]+): (.+)", Pattern.DOTALL);

  private static final List<String> JOINTS = List.of("; ", ", ", ". ");

  private static final List<OldSentence> SENTENCES = read();

  private OldSentences() {}

  /**
   * @param first the text before the first place
   * @param last the text behind the last place
   * @param length without the places
   */
  private record OldSentence(
      String key, String first, String last, Pattern pattern, List<Integer> places, int length) {
    static OldSentence of(String key, String text) {
      String[] between = PLACE.split(text, -1);
      String pattern = Stream.of(between).map(Pattern::quote).collect(Collectors.joining("(.+?)"));
      return new OldSentence(
          key,
          between[0],
          between[between.length - 1],
          Pattern.compile(pattern, Pattern.DOTALL),
          PLACE.matcher(text).results().map(m -> Integer.valueOf(m.group(1))).toList(),
          PLACE.matcher(text).replaceAll("").length());
    }

    Optional<Statement> read(String english) {
      // A journal has thousands of texts, and each is compared with hundreds of sentences.
      if (!english.startsWith(first) || !english.endsWith(last)) {
        return Optional.empty();
      }
      Matcher m = pattern.matcher(english);
      if (!m.matches()) {
        return Optional.empty();
      }
      Object[] values = new Object[places.size()];
      for (int i = 0; i < values.length; i++) {
        values[places.get(i)] = statement(m.group(i + 1));
      }
      return Optional.of(Statement.phrase(key, values));
    }
  }

  /** A text that matches no sentence, such as a log line or a person's words, stays unchanged. */
  static Statement statement(String english) {
    return list(english)
        .or(() -> whole(english))
        .or(() -> parts(english))
        .orElseGet(() -> Statement.words(english));
  }

  /**
   * Several sentences with commas between them, which a single sentence with placeholders would
   * also match.
   */
  private static Optional<Statement> list(String english) {
    List<Optional<Statement>> parts =
        Stream.of(english.split(", ", -1)).map(OldSentences::whole).toList();
    return parts.size() > 1 && parts.stream().allMatch(Optional::isPresent)
        ? Optional.of(Statement.row(", ", parts.stream().map(Optional::get).toList()))
        : Optional.empty();
  }

  private static Optional<Statement> whole(String english) {
    return SENTENCES.stream().flatMap(s -> s.read(english).stream()).findFirst();
  }

  private static Optional<Statement> parts(String english) {
    Matcher about = ABOUT.matcher(english);
    if (about.matches()) {
      return Optional.of(
          Statement.row(": ", Statement.words(about.group(1)), statement(about.group(2))));
    }
    for (String joint : JOINTS) {
      List<String> parts = List.of(english.split(Pattern.quote(joint), -1));
      if (parts.size() > 1 && parts.stream().anyMatch(p -> whole(p).isPresent())) {
        return Optional.of(
            Statement.row(joint, parts.stream().map(OldSentences::statement).toList()));
      }
    }
    return Optional.empty();
  }

  private static List<OldSentence> read() {
    Properties texts = new Properties();
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(OldSentences.class.getResourceAsStream("schema-7.properties")),
            StandardCharsets.UTF_8)) {
      texts.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts.stringPropertyNames().stream()
        .map(key -> OldSentence.of(key, texts.getProperty(key)))
        .sorted(
            Comparator.comparing(OldSentence::length).reversed().thenComparing(OldSentence::key))
        .toList();
  }
}
