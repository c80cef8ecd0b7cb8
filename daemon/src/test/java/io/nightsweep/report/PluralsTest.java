package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.HaltCause;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** No text says "1 nodes", and Chinese has one form of each word. */
@Tag("people")
class PluralsTest {
  private static final Pattern WORD = Pattern.compile("\\{(\\d)#([^|}]*)\\|([^}]*)}");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          words.nodes-checked | 0  | probe checked 0 nodes           | probe 检查了 0 个节点
          words.nodes-checked | 1  | probe checked 1 node            | probe 检查了 1 个节点
          words.nodes-checked | 2  | probe checked 2 nodes           | probe 检查了 2 个节点
          words.nodes-checked | 21 | probe checked 21 nodes          | probe 检查了 21 个节点
          words.wave-opened   | 1  | wave probe opened with 1 trial  | 波次 probe 开始，含 1 个试验
          words.wave-opened   | 3  | wave probe opened with 3 trials | 波次 probe 开始，含 3 个试验
          words.trials-planned | 1 | wave probe gets 1 more trial    | 波次 probe 再加 1 个试验
          """)
  void aNumberStandsBesideItsFormOfTheWord(String key, int number, String english, String chinese) {
    assertThat(Phrases.EN.text(key, "probe", number)).isEqualTo(english);
    assertThat(Phrases.ZH.text(key, "probe", number)).isEqualTo(chinese);
  }

  @Test
  void aHaltOfOneNodeSpeaksOfANode() {
    assertThat(Sentences.of(new HaltCause.NodesFailed(1, "w"), Phrases.EN))
        .isEqualTo("1 node failed in wave w");
  }

  /** The value may be a number or its text. */
  @ParameterizedTest
  @CsvSource({"1, node", "2, nodes", "0, nodes", "11, nodes", "1.0, nodes"})
  void aTextThatIsANumberCountsAsOne(String number, String word) {
    assertThat(Phrases.EN.text("nodes", number, "n1"))
        .isEqualTo("Hardware: %s %s, pinned: n1", number, word);
  }

  @ParameterizedTest
  @MethodSource("textsWithPlurals")
  void everyTextWithAPluralHasBothFormsAndChineseNone(String key, String pattern) {
    String one = Phrases.EN.text(key, all(1));
    String two = Phrases.EN.text(key, all(2));
    WORD.matcher(pattern)
        .results()
        .forEach(
            word -> {
              assertThat(one)
                  .contains(word.group(2))
                  .doesNotContainPattern("\\b1 " + word.group(3) + "\\b");
              assertThat(two).contains(word.group(3));
            });
    assertThat(one + two).doesNotContain("{", "|", "#");
    assertThat(Phrases.ZH.text(key, all(1)).replace('1', '2'))
        .isEqualTo(Phrases.ZH.text(key, all(2)).replace('1', '2'))
        .doesNotContain("{", "|", "#");
  }

  static Stream<Object[]> textsWithPlurals() throws Exception {
    Properties texts = new Properties();
    try (Reader reader =
        new InputStreamReader(
            PluralsTest.class.getResourceAsStream("/templates/report/en.properties"),
            StandardCharsets.UTF_8)) {
      texts.load(reader);
    }
    return texts.stringPropertyNames().stream()
        .sorted()
        .filter(key -> WORD.matcher(texts.getProperty(key)).find())
        .map(key -> new Object[] {key, texts.getProperty(key)});
  }

  private static Object[] all(int value) {
    Object[] values = new Object[10];
    Arrays.fill(values, value);
    return values;
  }
}
