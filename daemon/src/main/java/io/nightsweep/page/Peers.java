package io.nightsweep.page;

import java.io.IOException;
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
  private static final int UID = 7;
  private static final int FEWEST_FIELDS = 8;

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
   * The user of the socket that is bound to {@code peerPort} and connected to {@code ownPort}.
   *
   * @return empty where the connection is not in the table any more
   */
  OptionalInt user(int peerPort, int ownPort) throws IOException {
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
                .filter(
                    fields -> port(fields[LOCAL]) == peerPort && port(fields[REMOTE]) == ownPort)
                .filter(fields -> isLoopback(fields[LOCAL]))
                .mapToInt(fields -> Integer.parseUnsignedInt(fields[UID]))
                .findFirst();
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return OptionalInt.empty();
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
  }

  /** 127.0.0.0/8 in the table's byte order, of either family. */
  private static boolean isLoopback(String address) {
    return address.substring(0, address.indexOf(':')).endsWith("7F");
  }
}
