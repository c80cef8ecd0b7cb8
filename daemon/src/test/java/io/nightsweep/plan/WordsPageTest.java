package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A newcomer learns seven terms before the first result; the first pages use no others. */
@Tag("people")
class WordsPageTest {
  private static final Pattern TERM = Pattern.compile("(?m)^\\| \\*\\*(\\w+)\\*\\* \\| (.+) \\|$");

  /** The architecture's terms, which no newcomer has to know. */
  private static final Pattern INSIDE =
      Pattern.compile(
          "(?i)\\b(disposition|conductor|foresight|fold|standing|remedy|drift model|surface|weather|quarantine|provenance)s?\\b");

  @Test
  void sevenTermsAreExplainedInASentenceEach() throws IOException {
    List<String> terms =
        TERM.matcher(page("docs/words.md")).results().map(m -> m.group(1)).toList();
    assertThat(terms)
        .containsExactly(
            "cell", "profile", "wave", "trial", "interval", "confirmation", "playbook");
    assertThat(TERM.matcher(page("docs/words.md")).results())
        .allMatch(m -> m.group(2).length() < 160);
  }

  @Test
  void theFirstPagesUseNoOther() throws IOException {
    String readme = page("../README.md");
    assertThat(readme).contains("daemon/docs/words.md", "seven terms, before the first result");
    for (String first : List.of(readme, page("../templates/sweep.command.yaml"))) {
      assertThat(INSIDE.matcher(first).results().map(m -> m.group())).isEmpty();
    }
  }

  private static String page(String file) throws IOException {
    return Files.readString(Path.of(file));
  }
}
