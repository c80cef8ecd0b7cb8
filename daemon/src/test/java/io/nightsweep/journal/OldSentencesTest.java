package io.nightsweep.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Statement;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sentences that journals before schema 8 stored in English read as the same phrases today, in
 * English and in Chinese.
 */
@Tag("guard")
class OldSentencesTest {
  private static final Pattern PLACE = Pattern.compile("\\{(\\d)}");

  @Test
  void everyOldSentenceIsAPhraseOfBothCatalogues() throws Exception {
    Properties old = new Properties();
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(OldSentences.class.getResourceAsStream("schema-7.properties")),
            StandardCharsets.UTF_8)) {
      old.load(reader);
    }
    assertThat(old).hasSizeGreaterThan(300);
    for (String key : old.stringPropertyNames()) {
      String sentence = PLACE.matcher(old.getProperty(key)).replaceAll("value$1");
      Statement statement = OldSentences.statement(sentence);
      assertThat(Phrases.EN.text(statement)).as(key).isEqualTo(now(key, old.getProperty(key)));
      assertThat(Phrases.ZH.text(statement)).as(key).containsPattern("\\p{IsHan}");
    }
  }

  /** The sentence in today's words, with the same values. */
  private static String now(String key, String old) {
    Object[] values = new Object[10];
    PLACE
        .matcher(old)
        .results()
        .map(m -> m.group(1))
        .forEach(i -> values[i.charAt(0) - '0'] = "" + "value" + i);
    return Phrases.EN.text("said." + key, values);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ended as FAILED with exit code 1                           | 以 FAILED 结束，退出码 1
          node-fail: ended as NODE_FAIL with exit code 0             | node-fail: 以 NODE_FAIL 结束，退出码 0
          no step, exit code 9                                       | 没有任何步, 退出码 9
          rank 3 on n1: line 7 says 'x'                              | n1 上的 rank 3：第 7 行为“x”
          the job saw profile a instead of b                         | 作业看到的是 profile a，而不是 b
          somebody's own words                                       | somebody's own words
          """)
  void readsChinese(String english, String chinese) {
    Statement statement = OldSentences.statement(english);
    assertThat(Phrases.EN.text(statement)).isEqualTo(english);
    assertThat(Phrases.ZH.text(statement)).isEqualTo(chinese);
  }
}
