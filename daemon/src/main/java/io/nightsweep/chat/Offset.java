package io.nightsweep.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The last update that was dealt with, on the disk: a daemon that starts again neither repeats what
 * was said before nor misses what was said meanwhile.
 */
final class Offset {
  private final Path file;
  private volatile int last;

  Offset(Path file) throws IOException {
    this.file = file;
    try {
      last = Files.exists(file) ? Integer.parseInt(Files.readString(file).strip()) : 0;
    } catch (NumberFormatException e) {
      // Telegram begins with what it has kept: at most a day, and the old of it is not carried out.
      last = 0;
    }
  }

  int last() {
    return last;
  }

  void dealtWith(int update) throws IOException {
    last = Math.max(last, update);
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, last + "\n");
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
