package io.nightsweep.chat;

import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handled update of a bot, stored on disk, so that a restarted daemon neither repeats nor
 * misses a command.
 *
 * <p>Each bot has its own sequence; after a week without an update Telegram starts a new one at
 * random (core.telegram.org/bots/api#update). Telegram sends only updates after the requested
 * offset, unless the offset is outside its sequence. So an update at or below the last one shows a
 * new sequence and is not an old update.
 */
final class Offset {
  private static final Logger log = LoggerFactory.getLogger(Offset.class);

  /** One less than the maximum, since the request adds one. */
  static final int MOST = Integer.MAX_VALUE - 1;

  private final Path file;
  private final String bot;
  private volatile int last;

  /**
   * @param token of the bot; the part before the colon is the bot's public number
   * @throws IOException where the file exists and cannot be read
   */
  Offset(Path file, Secret token) throws IOException {
    this.file = file;
    bot = token.reveal().split(":", 2)[0];
    String[] kept = Files.exists(file) ? Files.readString(file).strip().split(" ") : new String[0];
    last =
        kept.length == 2 && kept[0].equals(bot) && kept[1].matches("\\d{1,10}")
            ? (int) Math.min(Long.parseLong(kept[1]), MOST)
            : 0;
  }

  /** The last update; 0 if unknown, and then Telegram begins with the oldest that it has. */
  int last() {
    return last;
  }

  void dealtWith(int update) throws IOException {
    if (update <= last) {
      log.info("Telegram has begun a new sequence of updates at {}", update);
    }
    last = update;
    OwnFile.write(file, bot + " " + last);
  }
}
