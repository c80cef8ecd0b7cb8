package io.nightsweep.chat;

import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.Unseen;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Reads the last lines of a log of any length. */
final class LogTail {
  private static final int MOST_BYTES = 16 << 10;

  private LogTail() {}

  /**
   * Empty where there is no such file.
   *
   * @throws IOException where it is a link, a pipe or a device
   */
  static List<String> read(Path file, int mostLines) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (FileChannel in = ForeignFile.open(file)) {
      long from = Math.max(0, in.size() - MOST_BYTES);
      ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
      while (bytes.hasRemaining() && in.read(bytes, from + bytes.position()) >= 0) {}
      String text =
          Unseen.withoutSequences(
              new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
      List<String> lines = text.lines().filter(l -> !l.isBlank()).toList();
      // If the beginning was cut off, the first line is incomplete.
      List<String> whole = from > 0 && lines.size() > 1 ? lines.subList(1, lines.size()) : lines;
      return whole.subList(Math.max(0, whole.size() - mostLines), whole.size());
    }
  }
}
