package io.nightsweep.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Translates English sentences of earlier journals, and of commands, into a report's language. The
 * catalogue has each of them under a key that begins with {@code said.}: the English text is the
 * sentence with placeholders, and the other language's text has the same placeholders.
 */
final class Said {
  static final String KEYS = Phrases.SAID;

  private static final Pattern PLACE = Pattern.compile("\\{(\\d)}");

  /** A failure class before the details of a failure. */
  private static final Pattern OF_A_CLASS = Pattern.compile("([a-z0-9]+(?:-[a-z0-9]+)*+): (.+)");

  private static final List<String> JOINTS = List.of("; ", ", ", ". ");

  private record Sentence(String key, Pattern pattern, List<Integer> places, int length) {}

  private final Phrases phrases;
  private final List<Sentence> sentences;

  Said(Phrases english, Phrases phrases) {
    this.phrases = phrases;
    this.sentences =
        english.keys().stream()
            .filter(key -> key.startsWith(KEYS))
            .map(key -> sentence(key, english.text(key)))
            .sorted(Comparator.comparing(Sentence::length).reversed())
            .toList();
  }

  /**
   * Translates a text; a text that fits no sentence, such as a log's line or a person's words,
   * stays as it is.
   */
  String of(String english) {
    return list(english).or(() -> whole(english)).or(() -> parts(english)).orElse(english);
  }

  /**
   * Several sentences joined by commas; tried first, since one sentence with placeholders would
   * match them all.
   */
  private Optional<String> list(String english) {
    List<Optional<String>> parts = Stream.of(english.split(", ", -1)).map(this::whole).toList();
    return parts.size() > 1 && parts.stream().allMatch(Optional::isPresent)
        ? Optional.of(parts.stream().map(Optional::get).collect(Collectors.joining(", ")))
        : Optional.empty();
  }

  private Optional<String> whole(String english) {
    for (Sentence sentence : sentences) {
      Matcher m = sentence.pattern().matcher(english);
      if (m.matches()) {
        Object[] values = new Object[10];
        for (int i = 0; i < sentence.places().size(); i++) {
          values[sentence.places().get(i)] = of(m.group(i + 1));
        }
        return Optional.of(phrases.text(sentence.key(), values));
      }
    }
    return Optional.empty();
  }

  /** Several sentences in a row, as in the details of a failure. */
  private Optional<String> parts(String english) {
    Matcher ofAClass = OF_A_CLASS.matcher(english);
    if (ofAClass.matches()) {
      return Optional.of(ofAClass.group(1) + ": " + of(ofAClass.group(2)));
    }
    for (String joint : JOINTS) {
      List<String> parts = List.of(english.split(Pattern.quote(joint), -1));
      if (parts.size() > 1 && parts.stream().anyMatch(p -> whole(p).isPresent())) {
        return Optional.of(parts.stream().map(this::of).collect(Collectors.joining(joint)));
      }
    }
    return Optional.empty();
  }

  private static Sentence sentence(String key, String text) {
    Matcher places = PLACE.matcher(text);
    List<Integer> numbers =
        PLACE.matcher(text).results().map(m -> Integer.valueOf(m.group(1))).toList();
    String pattern =
        Stream.of(PLACE.split(text, -1)).map(Pattern::quote).collect(Collectors.joining("(.+?)"));
    return new Sentence(
        key, Pattern.compile(pattern, Pattern.DOTALL), numbers, places.replaceAll("").length());
  }
}
