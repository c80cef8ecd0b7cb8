package io.nightsweep.joblog;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Tells a listener text as if it were a file's, in the blocks that a test cuts it into. */
public final class LogText {
  private final LogListener listener;
  private final LineCounter lines = new LineCounter();

  public LogText(LogListener listener) {
    this.listener = listener;
  }

  /** Whole lines of a file that only the rank writes. */
  public void add(Rank rank, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    BlockBuffer buffer = new BlockBuffer(bytes.length + 15 & -8);
    buffer.put(bytes, 0, bytes.length);
    new LineFinder(new LogFile(Path.of("text"), rank), List.of(listener), lines)
        .block(buffer, 0, bytes.length);
  }
}
