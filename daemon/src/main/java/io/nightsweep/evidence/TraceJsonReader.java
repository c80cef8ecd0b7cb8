package io.nightsweep.evidence;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.nightsweep.evidence.Outcome.Unreadable;
import io.nightsweep.evidence.Outcome.Whole;
import io.nightsweep.sweep.Statement;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a trace in the trace viewer's format ({@code *.trace.json.gz}), event by event. Such files
 * omit events beyond a million; the xplane file beside it is complete.
 */
public final class TraceJsonReader {
  static final Statement EXPECTED = Statement.phrase("expected-trace");

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
          .configure(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES, true)
          .build();

  private final JsonParser json;
  private final TraceBuilder trace;
  private final Map<Long, String> processes = new HashMap<>();
  private final Map<String, String> threads = new HashMap<>();
  private final Set<Long> withStreams = new HashSet<>();

  private String phase = "";
  private String name = "";
  private String argumentName = "";
  private String hloOp = "";
  private String ordinal = "";
  private long process;
  private long thread;
  private double start;
  private double duration;

  private TraceJsonReader(JsonParser json, TraceBuilder trace) {
    this.json = json;
    this.trace = trace;
  }

  /**
   * @param names of the module's instructions; {@link HloReading.Names#none} where unknown
   */
  public static Outcome<TraceReading> read(Path file, HloReading.Names names) {
    try (TraceBuilder trace = new TraceBuilder(names);
        InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
        JsonParser json = JSON.createParser(in)) {
      if (!new TraceJsonReader(json, trace).object()) {
        return new Unreadable<>(file, Statement.phrase("file-no-trace"), EXPECTED);
      }
      return trace.isEmpty()
          ? new Unreadable<>(file, Statement.phrase("file-no-event"), EXPECTED)
          : new Whole<>(trace.build(file));
    } catch (EOFException e) {
      return new Unreadable<>(file, Statement.phrase("file-cut"), EXPECTED);
    } catch (ZipException e) {
      return new Unreadable<>(
          file, Statement.phrase("file-no-gzip", String.valueOf(e.getMessage())), EXPECTED);
    } catch (JsonProcessingException e) {
      return new Unreadable<>(
          file, Statement.phrase("file-no-json", e.getOriginalMessage()), EXPECTED);
    } catch (IOException | UncheckedIOException e) {
      return new Unreadable<>(file, Statement.phrase("cannot-be-read", e), EXPECTED);
    }
  }

  private boolean object() throws IOException {
    boolean found = false;
    if (json.nextToken() != JsonToken.START_OBJECT) {
      return false;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean events = json.currentName().equals("traceEvents");
      if (json.nextToken() == JsonToken.START_ARRAY && events) {
        found = true;
        while (json.nextToken() == JsonToken.START_OBJECT) {
          event();
        }
      } else {
        json.skipChildren();
      }
    }
    return found;
  }

  private void event() throws IOException {
    phase = "";
    name = "";
    argumentName = "";
    hloOp = "";
    ordinal = "";
    process = 0;
    thread = 0;
    start = 0;
    duration = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "ph" -> phase = json.getValueAsString("");
        case "name" -> name = json.getValueAsString("");
        case "pid" -> process = json.getValueAsLong();
        case "tid" -> thread = json.getValueAsLong();
        case "ts" -> start = json.getValueAsDouble();
        case "dur" -> duration = json.getValueAsDouble();
        case "args" -> arguments();
        default -> json.skipChildren();
      }
    }
    switch (phase) {
      case "M" -> metadata();
      case "X" -> complete();
      default -> {}
    }
  }

  private void arguments() throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case TraceLines.HLO_OP -> hloOp = json.getValueAsString("");
        case TraceLines.DEVICE_ORDINAL -> ordinal = json.getValueAsString("");
        case "name" -> argumentName = json.getValueAsString("");
        default -> json.skipChildren();
      }
    }
  }

  private void metadata() {
    if (name.equals("process_name")) {
      processes.put(process, argumentName);
    } else if (name.equals("thread_name")) {
      threads.put(process + "/" + thread, argumentName);
      if (XplaneNames.isStream(argumentName)) {
        withStreams.add(process);
      }
    }
  }

  private void complete() {
    String plane = processes.getOrDefault(process, "");
    String line = threads.getOrDefault(process + "/" + thread, Long.toString(thread));
    boolean host = TraceLines.isHost(plane);
    if (TraceLines.counts(plane, line, withStreams.contains(process))
        && !(host && hloOp.isEmpty())) {
      trace.add(
          TraceLines.device(plane, ordinal),
          line,
          name,
          hloOp,
          Math.round(start * 1e6),
          Math.round(duration * 1e6));
    }
  }
}
