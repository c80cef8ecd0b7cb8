package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who owns a connection, by tables in the kernel's format (proc(5)). */
@Tag("page")
class PeersTest {
  private static final int STRANGERS = 20_000;

  @TempDir private Path dir;

  private static InetSocketAddress at(int port) throws Exception {
    return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
  }

  private static String line(String prefix, int peer, int own, String state, int uid) {
    return "  12: %s0100007F:%04X %s0100007F:%04X %s 00000000:00000000 00:00000000 00000000  %4d        0 77 1 0000000000000000 20 4 30 10 -1"
        .formatted(prefix, peer, prefix, own, state, uid);
  }

  private Path table(String name, List<String> lines) throws Exception {
    List<String> all = new ArrayList<>(List.of("  sl  local_address rem_address   st tx_queue"));
    all.addAll(lines);
    return Files.write(dir.resolve(name), all);
  }

  @Test
  void anEstablishedConnectionTellsItsUserInEitherTable() throws Exception {
    String mapped = "0000000000000000FFFF0000";
    Path four =
        table(
            "tcp",
            List.of(
                line("", 80, 4000, "01", 1), line("", 4000, 80, "06", 2),
                line("", 4000, 80, "01", 1234), line("", 4001, 80, "01", 3)));
    Path six = table("tcp6", List.of(line(mapped, 4002, 80, "01", 4321)));
    Peers peers = new Peers(List.of(four, six));
    assertThat(peers.user(at(4000), at(80))).isEqualTo(OptionalInt.of(1234));
    assertThat(peers.user(at(4002), at(80))).isEqualTo(OptionalInt.of(4321));
    assertThat(peers.user(at(4003), at(80))).isEmpty();
    assertThat(peers.user(at(400), at(80))).isEmpty();
  }

  /** Another user may hold as many connections as the machine allows. */
  @Test
  void aLookIntoALongTableCostsLittleMoreThanReadingIt() throws Exception {
    Path table = table("tcp", Collections.nCopies(STRANGERS, line("", 50_000, 51_000, "01", 9)));
    Peers peers = new Peers(List.of(table));
    long look = Long.MAX_VALUE;
    long read = Long.MAX_VALUE;
    for (int i = 0; i < 8; i++) {
      long start = cpu();
      assertThat(peers.user(at(4000), at(80))).isEmpty();
      long between = cpu();
      assertThat(Files.readAllLines(table, StandardCharsets.ISO_8859_1)).hasSize(STRANGERS + 1);
      look = Math.min(look, between - start);
      read = Math.min(read, cpu() - between);
    }
    assertThat(look).isLessThan(8 * read);
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** The machine's own table, with the user replaced by another one. */
  @Test
  void aConnectionOfAnotherUserIsHungUpOn() throws Exception {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    for (int user : new int[] {1234, 4321}) {
      Path table = dir.resolve("of-" + user);
      try (GuardedSocket door = new GuardedSocket(new Peers(List.of(table)), 1234, 0, 8, loopback);
          Socket client = new Socket()) {
        client.bind(new InetSocketAddress(loopback, 0));
        table(
            table.getFileName().toString(),
            List.of(line("", client.getLocalPort(), door.getLocalPort(), "01", user)));
        Thread server =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try (Socket accepted = door.accept()) {
                        accepted.getOutputStream().write('x');
                      } catch (IOException e) {
                        // Closed at the end of the test.
                      }
                    });
        client.connect(new InetSocketAddress(loopback, door.getLocalPort()));
        client.setSoTimeout(20_000);
        assertThat(client.getInputStream().read()).isEqualTo(user == 1234 ? 'x' : -1);
        server.interrupt();
      }
    }
  }
}
