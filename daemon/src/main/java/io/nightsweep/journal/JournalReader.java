package io.nightsweep.journal;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads a journal without a lock and without changing it, even while a daemon writes to it. */
public final class JournalReader {
  private static final int GLANCE_BYTES = 1 << 16;
  private static final String FINISHED = ",\"event\":{\"type\":\"SweepFinished\",";

  private JournalReader() {}

  /**
   * What follows the last whole event.
   *
   * @param wholeBytes the length of the journal up to the end of this event
   * @param strayBytes torn or damaged bytes after it; 0 if there are none
   * @param isTerminated false if only the last event's newline is missing
   */
  public record Tail(long events, long wholeBytes, long strayBytes, boolean isTerminated) {}

  /**
   * Passes every whole event to {@code sink}, in order.
   *
   * @throws IOException if a line is longer than any event
   * @throws JournalCorruptException if whole lines follow a damaged line, or a whole line is not
   *     the next event
   */
  public static Tail read(Path file, Consumer<Entry> sink) throws IOException {
    return read(file, LineCodec.CURRENT, sink);
  }

  /** The state from the journal's events, without a torn tail. */
  public static SweepState fold(Path file) throws IOException {
    Replay replay = new Replay();
    read(file, replay);
    return replay.state();
  }

  /**
   * Whether the journal's end shows that the sweep has finished, without reading all of it. If the
   * end event is not in the last {@value #GLANCE_BYTES} bytes, the sweep counts as unfinished.
   */
  public static boolean endsFinished(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long length = in.length();
      byte[] end = new byte[(int) Math.min(length, GLANCE_BYTES)];
      in.seek(length - end.length);
      int read = Math.max(0, in.read(end));
      // Inside a text of an event, the quotes would be escaped.
      return new String(end, 0, read, StandardCharsets.UTF_8).contains(FINISHED);
    }
  }

  static Tail read(Path file, LineCodec codec, Consumer<Entry> sink) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      ByteLines lines = new ByteLines(in);
      long count = 0;
      long whole = 0;
      boolean terminated = true;
      while (lines.advance()) {
        if (!codec.isWhole(lines.bytes(), lines.from(), lines.to())) {
          refuseIfWholeEventsFollow(file, codec, lines, count + 1);
          return new Tail(count, whole, lines.end() - whole, terminated);
        }
        sink.accept(decode(file, codec, lines, count + 1));
        count++;
        whole = lines.end();
        terminated = lines.isTerminated();
      }
      return new Tail(count, whole, 0, terminated);
    }
  }

  private static Entry decode(Path file, LineCodec codec, ByteLines lines, long expectedSeq)
      throws IOException {
    Entry entry;
    try {
      entry = codec.decode(lines.bytes(), lines.from(), lines.to());
    } catch (NewerSchemaException e) {
      throw new JournalCorruptException(file, expectedSeq, lines.offset(), e);
    } catch (IOException e) {
      JournalCorruptException corrupt =
          new JournalCorruptException(file, expectedSeq, lines.offset(), firstLine(e));
      corrupt.initCause(e);
      throw corrupt;
    }
    if (entry.seq() != expectedSeq) {
      throw new JournalCorruptException(
          file,
          expectedSeq,
          lines.offset(),
          "event " + entry.seq() + " where event " + expectedSeq + " is due");
    }
    return entry;
  }

  private static void refuseIfWholeEventsFollow(
      Path file, LineCodec codec, ByteLines lines, long line) throws IOException {
    long offset = lines.offset();
    long following = 0;
    while (lines.advance()) {
      if (codec.isWhole(lines.bytes(), lines.from(), lines.to())) {
        following++;
      }
    }
    if (following > 0) {
      throw new JournalCorruptException(
          file, line, offset, "the line is damaged, and " + following + " whole events follow it");
    }
  }

  private static String firstLine(IOException e) {
    String message = String.valueOf(e.getMessage());
    int newline = message.indexOf('\n');
    return newline < 0 ? message : message.substring(0, newline);
  }
}
