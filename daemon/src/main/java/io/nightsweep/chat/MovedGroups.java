package io.nightsweep.chat;

import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups that became supergroups and so got another id. People list the id that they know.
 *
 * <p>Telegram reports the new id once in the group, and in each refusal of a message to the old id
 * (core.telegram.org/bots/api#responseparameters). It is stored on disk, since messages from people
 * carry only the new id.
 */
final class MovedGroups {
  private static final Logger log = LoggerFactory.getLogger(MovedGroups.class);
  private static final Pattern MOVE = Pattern.compile("(-?\\d{1,18}) (-?\\d{1,18})");

  private final Path file;
  private final Map<Long, Long> moves = new ConcurrentHashMap<>();

  /**
   * @throws IOException where the file exists and cannot be read
   */
  MovedGroups(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        Matcher move = MOVE.matcher(line);
        if (move.matches()) {
          moves.put(Long.valueOf(move.group(1)), Long.valueOf(move.group(2)));
        }
      }
    }
  }

  /** The present id of a chat. */
  long now(long chat) {
    return moves.getOrDefault(chat, chat);
  }

  /** The id under which people listed the chat that now has the given id. */
  long before(long chat) {
    return moves.entrySet().stream()
        .filter(move -> move.getValue() == chat)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(chat);
  }

  void move(long from, long to) {
    if (Long.valueOf(to).equals(moves.put(from, to))) {
      return;
    }
    log.warn("Telegram: the group {} is the supergroup {} now and is followed there", from, to);
    try {
      OwnFile.write(
          file,
          new TreeMap<>(moves)
              .entrySet().stream()
                  .map(move -> move.getKey() + " " + move.getValue())
                  .collect(Collectors.joining("\n")));
    } catch (IOException e) {
      log.warn("the move could not be saved in {}: {}", file, e.toString());
    }
  }
}
