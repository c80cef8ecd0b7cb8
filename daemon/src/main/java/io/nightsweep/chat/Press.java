package io.nightsweep.chat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import java.util.zip.CRC32C;

/**
 * The meaning of a button in the 64 bytes that Telegram allows: {@code action|sweep|argument}.
 * Names are replaced by checksums and looked up among the existing names.
 *
 * @param sweep checksum of the sweep's id
 * @param argument of the action, or empty
 */
record Press(String action, String sweep, String argument) {
  private static final int MOST_BYTES = 64;

  static Press of(String action, String sweepId) {
    return new Press(action, key(sweepId), "");
  }

  static Press of(String action, String sweepId, String argument) {
    return new Press(action, key(sweepId), argument);
  }

  static Optional<Press> parse(String data) {
    String[] parts = data.split("\\|", -1);
    return parts.length == 3
        ? Optional.of(new Press(parts[0], parts[1], parts[2]))
        : Optional.empty();
  }

  Message.Button labelled(String label) {
    return new Message.Button(label, data());
  }

  String data() {
    String data = action + "|" + sweep + "|" + argument;
    if (data.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      throw new IllegalStateException("a button holds at most " + MOST_BYTES + " bytes: " + data);
    }
    return data;
  }

  /** A short key for a name, since a button's data are limited to 64 bytes. */
  static String key(String name) {
    CRC32C crc = new CRC32C();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }

  /** The name with this key; empty if none or several have it. */
  static Optional<String> named(String key, Iterable<String> names) {
    List<String> found =
        StreamSupport.stream(names.spliterator(), false)
            .filter(name -> key(name).equals(key))
            .distinct()
            .toList();
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }
}
