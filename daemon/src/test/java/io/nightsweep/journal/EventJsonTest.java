package io.nightsweep.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.TrialId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class EventJsonTest {
  private static final Instant AT = Instant.parse("2026-11-20T22:30:00.123456789Z");

  @Property(tries = 100)
  void everyEventTypeReadsBackAsItWasWritten(@ForAll long seed) throws IOException {
    RandomEvents events = new RandomEvents(seed);
    for (Class<?> type : RandomEvents.types()) {
      Entry entry = new Entry(7, AT, events.of(type));
      byte[] line = encode(LineCodec.CURRENT, entry);
      assertThat(new String(line, StandardCharsets.UTF_8).indexOf('\n'))
          .isEqualTo(new String(line, StandardCharsets.UTF_8).length() - 1);
      assertThat(LineCodec.CURRENT.isWhole(line, 0, line.length - 1)).isTrue();
      assertThat(LineCodec.CURRENT.decode(line, 0, line.length - 1)).isEqualTo(entry);
    }
  }

  @Test
  void theLineIsWhatTheDocumentationShows() throws IOException {
    Event event = new Event.Submitted(new AttemptId(new TrialId(12), 1), new JobId("4711"));
    assertThat(
            new String(encode(LineCodec.CURRENT, new Entry(3, AT, event)), StandardCharsets.UTF_8))
        .startsWith(
            "{\"v\":14,\"seq\":3,\"at\":\"2026-11-20T22:30:00.123456789Z\",\"event\":{\"type\":\"Submitted\",\"attempt\":\"t0012a1\",\"job\":\"4711\"},\"crc\":\"")
        .endsWith("\"}\n");
  }

  @Test
  void whatTheModelDoesNotKnowIsRefused() {
    assertThatThrownBy(() -> read("{\"type\":\"WaveClosed\",\"wave\":\"w\",\"colour\":\"red\"}"))
        .isInstanceOf(UnrecognizedPropertyException.class);
    assertThatThrownBy(() -> read("{\"type\":\"WaveVanished\",\"wave\":\"w\"}"))
        .hasMessageContaining("WaveVanished");
    assertThatThrownBy(() -> read("{\"type\":\"WaveClosed\"}")).hasMessageContaining("wave");
    assertThatThrownBy(() -> read("{\"type\":\"WaveClosed\",\"wave\":null}"))
        .hasMessageContaining("wave");
    assertThatThrownBy(() -> read("{\"type\":\"java.lang.Runtime\"}"))
        .hasMessageContaining("known type ids");
    assertThatThrownBy(() -> read("{\"type\":\"Submitted\",\"attempt\":\"twelve\",\"job\":\"1\"}"))
        .hasMessageContaining("twelve");
  }

  @Test
  void anEventOfAnOlderSchemaIsUpgraded() throws IOException {
    Entry old = new Entry(1, AT, new Event.WaveClosed("w"));
    byte[] line = encode(LineCodec.CURRENT, old);
    UnaryOperator<ObjectNode> rename = node -> node.put("wave", node.get("wave").textValue() + "2");
    LineCodec newer =
        new LineCodec(
            List.of(
                FromSchema1::upgraded,
                FromSchema2::upgraded,
                FromSchema3::upgraded,
                FromSchema4::upgraded,
                FromSchema5::upgraded,
                FromSchema6::upgraded,
                FromSchema7::upgraded,
                FromSchema8::upgraded,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                FromSchema13::upgraded,
                rename));
    assertThat(newer.decode(line, 0, line.length - 1).event())
        .isEqualTo(new Event.WaveClosed("w2"));

    byte[] future = encode(newer, old);
    assertThatThrownBy(() -> LineCodec.CURRENT.decode(future, 0, future.length - 1))
        .hasMessageContaining(
            "a newer Nightsweep wrote this line (schema 15; this one reads up to schema 14)");
  }

  private static byte[] encode(LineCodec codec, Entry entry) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    codec.encode(entry, out);
    return out.toByteArray();
  }

  private static Event read(String json) throws IOException {
    return Json.mapper().readValue(json, Event.class);
  }
}
