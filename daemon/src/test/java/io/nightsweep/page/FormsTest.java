package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Phrases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A form that is no command is refused in the language of its page. */
@Tag("page")
class FormsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type":"burn"}               | expected a type of pause, resume, stop, skip, budget, approve or deny | type 应为 pause、resume、stop、skip、budget、approve 或 deny
          {"type":"stop","confirm":"t"} | a stop has to repeat the sweep's name, s                              | 停止时须重复扫描的名字 s
          {"type":"skip"}               | expected a text for profile                                           |
          {"type":"budget"}             | a budget needs a limit: jobs, hours or nodeHours                      |
          {"type":"budget","days":1}    | expected jobs, hours or nodeHours, found days                         |
          {"type":"budget","jobs":0}    | jobs: expected a whole number above 0, found 0                        |
          {"type":"budget","hours":999} | hours: expected a number above 0 and up to 744, found 999             |
          """)
  void saysWhatIsWrong(String form, String english, String chinese) throws Exception {
    JsonNode json = Json.mapper().readTree(form);
    Forms.BadFormException refused =
        catchThrowableOfType(Forms.BadFormException.class, () -> Forms.command(json, "s"));
    assertThat(Phrases.EN.text(refused.reason())).isEqualTo(english);
    assertThat(Phrases.ZH.text(refused.reason()))
        .containsPattern("\\p{IsHan}")
        .contains(chinese == null ? "" : chinese);
  }
}
