package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Statement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shipped plan's reasons are facts; a person's are their own words. */
class ShippedReasonsTest {
  private static final Pattern WHY = Pattern.compile("(?m)^ *why: (.+)$");

  @ParameterizedTest
  @ValueSource(strings = {"kernels", "xla-tuning"})
  void everyReasonOfAShippedPlanIsAPhraseInBothLanguages(String plan) throws Exception {
    String text = Files.readString(Path.of("../templates/plans/" + plan + ".yaml"));
    assertThat(WHY.matcher(text).results().map(m -> m.group(1)))
        .hasSizeGreaterThan(4)
        .allSatisfy(
            why -> {
              Statement reason = ShippedReasons.of(why);
              assertThat(reason).isInstanceOf(Statement.Phrase.class);
              assertThat(Phrases.EN.text(reason)).isEqualTo(why);
              assertThat(Phrases.ZH.text(reason)).containsPattern("\\p{IsHan}");
            });
  }

  @Test
  void aPersonsReasonStaysAsItIs() {
    Statement own = ShippedReasons.of("We saw stragglers here last week.");
    assertThat(own).isEqualTo(Statement.words("We saw stragglers here last week."));
  }
}
