package io.nightsweep.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Wave;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The English reasons of schema 13 are facts today and read as before, in both languages. */
@Tag("guard")
class FromSchema13Test {
  private static final Path JOURNALS = Path.of("src/test/resources/journals/schema-13");

  @ParameterizedTest
  @ValueSource(strings = {"packed-fsdp-4-tp-2", "packed-pp-8", "llm-adversary", "quiet-2"})
  void everyReasonOfARecordedPlanReadsAsItDid(String night) throws IOException {
    ObjectNode event = first(night);
    JsonNode recorded = event.at("/spec/plan").deepCopy();
    Plan plan = ((Event.SweepStarted) LineCodec.CURRENT.ofUnknownSchema(event)).spec().plan();
    same(recorded.path("waves").findValuesAsText("why"), whys(plan.waves()));
    for (int i = 0; i < plan.alternatives().size(); i++) {
      same(
          recorded.path("alternatives").path(i).path("waves").findValuesAsText("why"),
          whys(plan.alternatives().get(i).waves()));
    }
    assertThat(plan.notApplicable().stream().map(n -> Phrases.EN.text(n.reason())))
        .isEqualTo(recorded.path("notApplicable").findValuesAsText("reason"));
  }

  private static List<Statement> whys(List<Wave> waves) {
    return waves.stream().map(Wave::why).toList();
  }

  private static void same(List<String> english, List<Statement> now) {
    assertThat(now.stream().map(Phrases.EN::text)).isEqualTo(english);
    assertThat(now.stream().map(Phrases.ZH::text))
        .isEqualTo(english.stream().map(Phrases.ZH::said).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type":"LlmAnswered","round":1,"answer":{"outcome":"REFUSED","detail":"the endpoint answered with status 429","promptSha256":"","answerSha256":"","tokensIn":0,"tokensOut":0,"microDollars":0,"hypotheses":[],"refusals":[{"name":"a","reason":"it sets nothing"}],"claims":[],"prose":""}} | 端点以状态 429 作答
          {"type":"NoticeUnsent","key":"k","to":"telegram","part":1,"because":"the connection failed: SSLException"} | 连接失败：SSLException
          {"type":"NoticeSettled","key":"k","to":"telegram","how":"DELIVERED","because":"all of it arrived"} | all of it arrived
          """)
  void aNoticeAndAnAnswerReadAsTheyDid(String line, String chinese) throws IOException {
    Event event = LineCodec.CURRENT.ofUnknownSchema((ObjectNode) Json.mapper().readTree(line));
    assertThat(EventLines.of(event, Phrases.ZH)).contains(chinese);
    assertThat(Json.mapper().writeValueAsString(event)).contains("\"type\":");
  }

  private static ObjectNode first(String night) throws IOException {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(JOURNALS.resolve(night + ".jsonl.gz")))) {
      String line =
          new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
      return (ObjectNode) Json.mapper().readTree(line).path("event");
    }
  }
}
