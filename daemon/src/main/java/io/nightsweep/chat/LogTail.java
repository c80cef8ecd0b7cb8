package io.nightsweep.chat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The last lines of a log, however long it is. */
final class LogTail {
  private static final int MOST_BYTES = 16 << 10;

  /** Colours and cursor movements of terminals (ECMA-48). */
  private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-?]*[ -/]*[@-~]");

  private LogTail() {}

  /** Empty where there is no such file. */
  static List<String> read(Path file, int mostLines) throws IOException {
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, in.length() - MOST_BYTES);
      in.seek(from);
      byte[] bytes = new byte[(int) (in.length() - from)];
      int read = Math.max(0, in.read(bytes));
      String text =
          ESCAPES.matcher(new String(bytes, 0, read, StandardCharsets.UTF_8)).replaceAll("");
      List<String> lines = text.lines().filter(l -> !l.isBlank()).toList();
      // The first of a cut text is half a line.
      List<String> whole = from > 0 && lines.size() > 1 ? lines.subList(1, lines.size()) : lines;
      return whole.subList(Math.max(0, whole.size() - mostLines), whole.size());
    }
  }
}
