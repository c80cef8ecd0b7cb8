package io.nightsweep.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.LoggedDecisions;
import io.nightsweep.sweep.Decision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decisions as JSON lines. The file is not synced, since no work is lost with it. */
public final class FileDecisionLog implements DecisionLog {
  private static final Logger log = LoggerFactory.getLogger(FileDecisionLog.class);

  private final Path file;
  private boolean failed;

  /** A decision and the last event before it. */
  public record LoggedDecision(long seq, Instant at, Decision decision) {}

  private record LoggedLine(long seq, Instant at, ObjectNode decision) {}

  public FileDecisionLog(Path file) {
    this.file = file;
  }

  @Override
  public void add(long seq, Instant at, Decision decision) {
    try {
      String line = Json.mapper().writeValueAsString(new LoggedDecision(seq, at, decision));
      OwnFile.append(file, line + "\n");
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        log.warn("decisions are not kept for 'explain': {}", e.getMessage());
      }
      failed = true;
    }
  }

  /** The readable decisions of any schema version; a torn line is skipped. */
  public static List<LoggedDecision> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.flatMap(FileDecisionLog::parse).toList();
    }
  }

  private static Stream<LoggedDecision> parse(String line) {
    try {
      LoggedLine read = Json.mapper().readValue(line, LoggedLine.class);
      return Stream.of(
          new LoggedDecision(read.seq(), read.at(), LoggedDecisions.read(read.decision())));
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
