package io.nightsweep.triage;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The last lines of a log, for a failure that nobody knows. */
final class LogTail {
  private static final int BYTES = 4096;
  private static final int LINES = 3;

  private LogTail() {}

  /**
   * @param lines how many line breaks the log has
   */
  static List<Quote> of(Path log, long lines) {
    try (FileChannel channel = FileChannel.open(log)) {
      long from = Math.max(0, channel.size() - BYTES);
      ByteBuffer bytes = ByteBuffer.allocate(BYTES);
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {}
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      List<Quote> last = new ArrayList<>();
      // A carriage return ends no line here.
      List<String> shown = List.of(text.split("\n", -1));
      long number = lines + 1 - shown.size();
      for (String line : shown) {
        number++;
        boolean isCut = from > 0 && number == lines + 2 - shown.size();
        if (!line.isBlank() && !isCut) {
          last.add(Line.of(log, Rank.NONE, number, number, line).quote(0));
        }
      }
      return List.copyOf(last.subList(Math.max(0, last.size() - LINES), last.size()));
    } catch (IOException e) {
      return List.of();
    }
  }
}
