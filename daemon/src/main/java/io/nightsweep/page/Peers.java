package io.nightsweep.page;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Whose process is at the other end of a loopback connection, by the kernel's own table (proc(5),
 * {@code /proc/net/tcp}). Browsers send a cookie to every port of a host, so that a server of
 * another user on this machine may come by one: a cookie alone does not tell people apart.
 */
final class Peers {
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int STATE = 3;
  private static final int UID = 7;
  private static final int FEWEST_FIELDS = 8;

  private static final String ESTABLISHED = "01";

  /** Before an IPv4 address in the table of IPv6 (RFC 4291, 2.5.5.2). */
  private static final String MAPPED = "0000000000000000FFFF0000";

  private final List<Path> tables;

  Peers(List<Path> tables) {
    this.tables = List.copyOf(tables);
  }

  static Peers ofThisMachine() {
    return new Peers(List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6")));
  }

  /** Whether the machine tells at all; one that is no Linux does not. */
  boolean isTold() {
    return tables.stream().anyMatch(Files::isReadable);
  }

  /**
   * The user of the socket that is bound to {@code peer} and connected to {@code own}. A socket
   * whose process has closed it belongs to nobody any more, and the table gives it to root: only an
   * established connection tells a user.
   *
   * @return empty where no such connection is in the table
   */
  OptionalInt user(InetSocketAddress peer, InetSocketAddress own) throws IOException {
    for (Path table : tables) {
      if (!Files.isReadable(table)) {
        continue;
      }
      try (Stream<String> lines = Files.lines(table)) {
        OptionalInt found =
            lines
                .skip(1)
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length >= FEWEST_FIELDS)
                .filter(fields -> fields[STATE].equals(ESTABLISHED))
                .filter(fields -> isAt(fields[LOCAL], peer) && isAt(fields[REMOTE], own))
                .mapToInt(fields -> Integer.parseUnsignedInt(fields[UID]))
                .findFirst();
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return OptionalInt.empty();
  }

  /** Addresses stand in the table as hexadecimal words of four bytes, each in reversed order. */
  private static boolean isAt(String place, InetSocketAddress address) {
    byte[] bytes = address.getAddress().getAddress();
    StringBuilder words = new StringBuilder();
    for (int word = 0; word < bytes.length; word += 4) {
      for (int i = 3; i >= 0; i--) {
        words.append("%02X".formatted(bytes[word + i]));
      }
    }
    String port = ":%04X".formatted(address.getPort());
    return place.equals(words + port) || place.equals(MAPPED + words + port);
  }
}
