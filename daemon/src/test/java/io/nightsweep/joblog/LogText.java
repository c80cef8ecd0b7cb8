package io.nightsweep.joblog;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Passes text to a listener as if it came from a file, in the blocks that a test chooses. */
public final class LogText {
  private final LogListener listener;
  private final LineCounter lines = new LineCounter();

  public LogText(LogListener listener) {
    this.listener = listener;
  }

  /** Adds whole lines of a file that only this rank writes. */
  public void add(Rank rank, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    BlockBuffer buffer = new BlockBuffer(bytes.length + 15 & -8);
    buffer.put(bytes, 0, bytes.length);
    new LineFinder(new LogFile(Path.of("text"), rank), List.of(listener), lines)
        .block(buffer, 0, bytes.length);
  }
}
