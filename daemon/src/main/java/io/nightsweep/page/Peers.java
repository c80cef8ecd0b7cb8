package io.nightsweep.page;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Finds which user owns the process at the other end of a loopback connection, from the kernel's
 * table (proc(5), {@code /proc/net/tcp}). A cookie alone does not identify a user: browsers send it
 * to every port of a host, so another user's server on this machine can obtain it.
 */
final class Peers {
  private static final int UID = 7;
  private static final int FEWEST_FIELDS = 8;

  private static final String ESTABLISHED = " 01 ";

  /** The prefix of an IPv4 address in the IPv6 table (RFC 4291, 2.5.5.2). */
  private static final String MAPPED = "0000000000000000FFFF0000";

  private final List<Path> tables;

  Peers(List<Path> tables) {
    this.tables = List.copyOf(tables);
  }

  static Peers ofThisMachine() {
    return new Peers(List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6")));
  }

  /** Whether the table can be read; systems other than Linux have none. */
  boolean isTold() {
    return tables.stream().anyMatch(Files::isReadable);
  }

  /**
   * The user of the socket that is bound to {@code peer} and connected to {@code own}. Only an
   * established connection counts: once a process has closed its socket, the table lists root as
   * its owner.
   *
   * @return empty where the table has no such connection
   */
  OptionalInt user(InetSocketAddress peer, InetSocketAddress own) throws IOException {
    // Other users can fill the table, so each line is checked by a single text comparison.
    String ends = place(peer, "") + place(own, "") + ESTABLISHED;
    String mapped = place(peer, MAPPED) + place(own, MAPPED) + ESTABLISHED;
    for (Path table : tables) {
      if (!Files.isReadable(table)) {
        continue;
      }
      try (Stream<String> lines = Files.lines(table, StandardCharsets.ISO_8859_1)) {
        OptionalInt found =
            lines
                .filter(line -> line.contains(ends) || line.contains(mapped))
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length >= FEWEST_FIELDS)
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
  private static String place(InetSocketAddress address, String prefix) {
    byte[] bytes = address.getAddress().getAddress();
    HexFormat hex = HexFormat.of().withUpperCase();
    StringBuilder words = new StringBuilder(" " + prefix);
    for (int word = 0; word < bytes.length; word += 4) {
      for (int i = 3; i >= 0; i--) {
        hex.toHexDigits(words, bytes[word + i]);
      }
    }
    return words.append(':').append(hex.toHexDigits((short) address.getPort())).toString();
  }
}
