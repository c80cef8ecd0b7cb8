package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guard")
class StatementsTest {
  /** A phrase in the code, up to its first value. */
  private static final Pattern NAMED =
      Pattern.compile("Statement\\s*\\.phrase\\(\\s*\"([a-z0-9-]+[a-z0-9])\"(\\)?)");

  private static final Pattern PLACE = Pattern.compile("\\{\\d}");

  /** Otherwise a reader would see the phrase's key. */
  @Test
  void everyPhraseThatTheCodeNamesIsInBothCatalogues() throws IOException {
    Map<String, Boolean> named = named();
    assertThat(named).hasSizeGreaterThan(80);
    for (Phrases catalogue : Phrases.values()) {
      assertThat(catalogue.keys())
          .containsAll(named.keySet().stream().map(key -> Phrases.SAID + key).toList());
      named.forEach(
          (key, isWithoutValues) ->
              assertThat(places(catalogue, key).isEmpty()).as(key).isEqualTo(isWithoutValues));
    }
  }

  @Test
  void aPhraseHasTheSamePlacesInBothLanguages() {
    assertThat(Phrases.EN.keys())
        .filteredOn(key -> key.startsWith(Phrases.SAID))
        .map(key -> key.substring(Phrases.SAID.length()))
        .allSatisfy(key -> assertThat(places(Phrases.ZH, key)).isEqualTo(places(Phrases.EN, key)));
  }

  /** A journal of another build may contain it. */
  @Test
  void aPhraseThatNoCatalogueHasStandsAsItsKeyAndValues() {
    assertThat(Phrases.EN.text(Statement.phrase("of-tomorrow", 1, "n1")))
        .isEqualTo("of-tomorrow[1, n1]");
  }

  /** A program's words are never taken for a phrase or a place. */
  @Test
  void wordsStandAsTheyAre() {
    Statement told = Statement.phrase("ended-as", "{1}", "exit code 1");
    assertThat(Phrases.ZH.text(told)).contains("{1}").contains("exit code 1");
    assertThat(Phrases.ZH.text(Statement.words("there is no log"))).isEqualTo("there is no log");
  }

  private static Set<String> places(Phrases catalogue, String key) {
    return PLACE
        .matcher(catalogue.text(Phrases.SAID + key))
        .results()
        .map(m -> m.group())
        .collect(Collectors.toSet());
  }

  /** Phrases by key, with whether they are used without values. */
  private static Map<String, Boolean> named() throws IOException {
    Map<String, Boolean> named = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        Matcher m = NAMED.matcher(Files.readString(file));
        while (m.find()) {
          named.put(m.group(1), !m.group(2).isEmpty());
        }
      }
    }
    return named;
  }
}
