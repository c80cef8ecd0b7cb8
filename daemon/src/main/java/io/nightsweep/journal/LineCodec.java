package io.nightsweep.journal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One entry as one line: {@code {"v":14,"seq":7,"at":"...","event":{"type":...},"crc":"0a1b2c3d"}}.
 * The checksum is CRC-32C (RFC 3720) over all bytes of the line before {@code ,"crc"}.
 */
final class LineCodec {
  static final LineCodec CURRENT =
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
              // Schema 10 adds the events of shared nights and changes no others.
              UnaryOperator.identity(),
              // Schema 11 adds the wait for nodes and changes nothing else.
              UnaryOperator.identity(),
              // Schema 12 adds the gains that earlier sweeps have shown and changes nothing else.
              UnaryOperator.identity(),
              // Schema 13 adds submissions that queued no job and changes nothing else.
              UnaryOperator.identity(),
              FromSchema13::upgraded));

  private static final Logger log = LoggerFactory.getLogger(LineCodec.class);

  private static final byte[] CRC_KEY = ",\"crc\":\"".getBytes(StandardCharsets.UTF_8);
  private static final int HEX_DIGITS = 8;
  private static final int SUFFIX = CRC_KEY.length + HEX_DIGITS + 2;

  private static final SerializedString V = new SerializedString("v");
  private static final SerializedString SEQ = new SerializedString("seq");
  private static final SerializedString AT = new SerializedString("at");
  private static final SerializedString EVENT = new SerializedString("event");

  private final List<UnaryOperator<ObjectNode>> upgrades;
  private final int version;
  private final ObjectWriter writer = Json.mapper().writerFor(JournalLine.class);
  private final ObjectReader reader =
      Json.mapper()
          .reader()
          .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .without(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  private final ObjectReader events = reader.forType(Event.class);

  private record JournalLine(int v, long seq, Instant at, Event event) {}

  /**
   * @param upgrades the n-th (from 1) converts an event of schema version n to n + 1
   */
  LineCodec(List<UnaryOperator<ObjectNode>> upgrades) {
    this.upgrades = List.copyOf(upgrades);
    version = upgrades.size() + 1;
  }

  /** The schema of the lines that it writes; it also reads all earlier schemas. */
  int version() {
    return version;
  }

  void encode(Entry entry, ByteArrayOutputStream out) throws IOException {
    byte[] json =
        writer.writeValueAsBytes(new JournalLine(version, entry.seq(), entry.at(), entry.event()));
    int covered = json.length - 1;
    out.write(json, 0, covered);
    out.write(CRC_KEY);
    out.write(hex(crc(json, 0, covered)));
    out.write('"');
    out.write('}');
    out.write('\n');
  }

  /** Whether the line (without its newline) was written completely and has not changed since. */
  boolean isWhole(byte[] bytes, int from, int to) {
    int covered = to - SUFFIX;
    if (covered <= from || bytes[to - 1] != '}' || bytes[to - 2] != '"') {
      return false;
    }
    if (!Arrays.equals(bytes, covered, covered + CRC_KEY.length, CRC_KEY, 0, CRC_KEY.length)) {
      return false;
    }
    byte[] expected = hex(crc(bytes, from, covered));
    int stored = covered + CRC_KEY.length;
    return Arrays.equals(bytes, stored, stored + HEX_DIGITS, expected, 0, HEX_DIGITS);
  }

  /**
   * Reads a whole line.
   *
   * @throws NewerSchemaException if a newer Nightsweep wrote the line
   * @throws IOException if the line is whole but contains no event
   */
  Entry decode(byte[] bytes, int from, int to) throws IOException {
    try (JsonParser parser = events.createParser(bytes, from, to - from)) {
      parser.nextToken();
      int v = field(parser, V).nextIntValue(-1);
      long seq = field(parser, SEQ).nextLongValue(-1);
      String at = field(parser, AT).nextTextValue();
      field(parser, EVENT).nextToken();
      if (at == null) {
        throw new IOException("\"at\" is not a text");
      }
      return new Entry(seq, Instant.parse(at), event(parser, v));
    } catch (DateTimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Event event(JsonParser parser, int v) throws IOException {
    if (v == version) {
      return events.readValue(parser);
    }
    if (v > version) {
      throw new NewerSchemaException(v, version);
    }
    if (v < 1) {
      throw new IOException("expected a schema version from 1 to " + version + ", found " + v);
    }
    return upgraded(reader.forType(ObjectNode.class).readValue(parser), v);
  }

  private Event upgraded(ObjectNode event, int from) throws IOException {
    ObjectNode upgraded = event;
    try {
      for (UnaryOperator<ObjectNode> upgrade : upgrades.subList(from - 1, version - 1)) {
        upgraded = upgrade.apply(upgraded);
      }
    } catch (RuntimeException e) {
      // The conversions rely on the fields of their schema.
      throw new IOException("no event of schema " + from + ": " + e, e);
    }
    return events.readValue(upgraded);
  }

  /**
   * Reads an event of unknown schema: as the latest schema from which it can be converted.
   *
   * @throws IOException if it fits no schema
   */
  Event ofUnknownSchema(ObjectNode event) throws IOException {
    for (int from = version; from >= 1; from--) {
      try {
        return upgraded(event.deepCopy(), from);
      } catch (IOException | RuntimeException e) {
        // The event has another schema: the conversions from there do not find the fields they
        // expect.
        log.debug("no event of schema {}: {}", from, e.toString());
      }
    }
    throw new IOException("an event of no known schema");
  }

  private static JsonParser field(JsonParser parser, SerializedString name) throws IOException {
    if (!parser.nextFieldName(name)) {
      JsonToken found = parser.currentToken();
      throw new IOException("expected \"" + name.getValue() + "\", found " + found);
    }
    return parser;
  }

  private static byte[] hex(int value) {
    return HexFormat.of().toHexDigits(value).getBytes(StandardCharsets.US_ASCII);
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
