package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Command;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose requests the page answers, and whose commands it carries out. */
@Tag("page")
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class PageDoorTest extends AtTheDoor {
  @Test
  void aGuestIsAnsweredUnderAStrictPolicy() throws IOException {
    Http.Answer page = guest.get("/");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Security-Policy"))
        .isEqualTo(
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.head()).doesNotContain("Access-Control-Allow");
    assertThat(guest.get("/api/sweeps").body()).contains("\"id\":\"s\"");
    assertThat(guest.acting().post(COMMANDS, PAUSE).status()).isEqualTo(200);
    assertThat(nights.told)
        .singleElement()
        .satisfies(
            tell -> {
              assertThat(tell.command()).isEqualTo(new Command.Pause());
              assertThat(tell.origin().door()).isEqualTo(Command.Origin.Door.HTTP);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/", "/assets/app.js", "/api/texts", "/api/sweeps", "/api/sweeps/s",
        "/api/sweeps/s/events", "/metrics", "/open", "/open?key=guessed", "/nothing"
      })
  void nothingIsAnsweredWithoutTheCookie(String path) throws IOException {
    for (Http stranger :
        List.of(
            anyone,
            anyone.with("Cookie", "nightsweep-" + port + "=guessed"),
            anyone.with("Cookie", "nightsweep-" + port + "="))) {
      assertRefused(stranger.get(path));
      assertRefused(stranger.acting().post(path, PAUSE));
    }
    assertRefused(anyone.acting().post(COMMANDS, PAUSE));
    assertThat(nights.told).isEmpty();
  }

  @Test
  void theCookieIsForThisBrowserAlone() throws IOException {
    URI link = URI.create(nights.open().link());
    String cookie = anyone.get(link.getPath() + "?" + link.getQuery()).header("Set-Cookie");
    assertThat(cookie).contains("; HttpOnly").contains("; SameSite=Strict");
  }

  /** Cookies are not separated by port: a server on another port may set one of the same name. */
  @Test
  void aCookieOfAnotherServerHidesNoneOfOurs() throws IOException {
    String other = "nightsweep-" + port + "=x";
    String own = guest.text("GET /", "").replaceFirst("(?s).*Cookie: ([^\r]*)\r.*", "$1");
    for (String both : List.of(other + "; " + own, own + "; " + other)) {
      assertThat(anyone.with("Cookie", both).get("/api/sweeps").status()).isEqualTo(200);
    }
    assertRefused(anyone.with("Cookie", other + "; " + other).get("/api/sweeps"));
  }

  @Test
  void aLinkIsGoodOnce() throws IOException {
    URI link = URI.create(nights.open().link());
    String path = link.getPath() + "?" + link.getQuery();
    assertThat(anyone.get(path).status()).isEqualTo(200);
    assertRefused(anyone.get(path));
  }

  @Test
  void aStaleLinkOpensNothing() throws IOException {
    Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
    Sessions sessions = new Sessions(dir.resolve("page.json"), 1, List.of(), () -> now[0]);
    String early = sessions.link();
    String late = sessions.link();
    now[0] = now[0].plus(Sessions.LINK_IS_GOOD);
    String key = sessions.exchange(early).orElseThrow();
    now[0] = now[0].plusSeconds(1);
    assertThat(sessions.exchange(late)).isEmpty();
    assertThat(sessions.knows(key)).isTrue();
    now[0] = now[0].plus(Sessions.SESSION_IS_GOOD);
    assertThat(sessions.knows(key)).isFalse();
  }

  static Stream<List<String>> otherSites() {
    return Stream.of(
        List.of("Origin", "http://evil.example"),
        List.of("Origin", "null"),
        List.of("Origin", "http://127.0.0.1:1"),
        List.of("Origin", "https://127.0.0.1:@PORT@"),
        List.of("Origin", "http://127.0.0.1:@PORT@.evil.example"),
        List.of("Sec-Fetch-Site", "cross-site"),
        List.of("Sec-Fetch-Site", "same-site"),
        // A name that was redirected to this address after the browser had looked it up.
        List.of("Host", "evil.example"),
        List.of("Host", "evil.example:@PORT@"),
        List.of("Host", "127.0.0.1"),
        List.of("Host", ""));
  }

  @ParameterizedTest
  @MethodSource("otherSites")
  void anotherSiteIsAnsweredNothingEvenWithTheCookie(List<String> header) throws IOException {
    Http other = guest.with(header.get(0), header.get(1).replace("@PORT@", "" + port));
    assertRefused(other.get("/api/sweeps"));
    Http acting = guest.acting().with(header.get(0), header.get(1).replace("@PORT@", "" + port));
    assertRefused(acting.post(COMMANDS, PAUSE));
    assertThat(nights.told).isEmpty();
  }

  @Test
  void whatAFormCanSendActsOnNothing() throws IOException {
    String own = "http://127.0.0.1:" + port;
    assertRefused(guest.post(COMMANDS, PAUSE));
    assertRefused(guest.with("Origin", own).post(COMMANDS, PAUSE));
    assertRefused(guest.acting().without("Origin").post(COMMANDS, PAUSE));
    assertRefused(guest.acting().with("Content-Type", "text/plain").post(COMMANDS, PAUSE));
    assertRefused(guest.acting().with("X-Nightsweep", "1").post(COMMANDS, PAUSE));
    assertThat(guest.acting().get(COMMANDS).status()).isEqualTo(404);
    assertThat(nights.told).isEmpty();
  }

  @Test
  void aStopRepeatsTheSweepsNameAndWhatIsNoCommandIsRefused() throws IOException {
    Http acting = guest.acting();
    for (String form :
        List.of(
            "{\"type\":\"stop\"}",
            "{\"type\":\"stop\",\"confirm\":\"x\"}",
            "{\"type\":\"fly\"}",
            "[]",
            "",
            "{",
            "{\"type\":\"skip\"}",
            "{\"type\":\"budget\"}",
            "{\"type\":\"budget\",\"jobs\":-1}",
            "{\"type\":\"budget\",\"job\":5}",
            "{\"type\":\"approve\",\"approval\":\"" + "x".repeat(300) + "\"}",
            "{\"type\":\"pause\",\"x\":\"" + "y".repeat(70_000) + "\"}")) {
      assertThat(acting.post(COMMANDS, form).status()).as(form).isEqualTo(400);
      assertThat(acting.post(COMMANDS + "?lang=zh", form).body())
          .as(form)
          .containsPattern("\\{\"refused\":\"[^\"]*\\p{IsHan}");
    }
    assertThat(nights.told).isEmpty();
    assertThat(acting.post(COMMANDS, "{\"type\":\"stop\",\"confirm\":\"s\"}").status())
        .isEqualTo(200);
    assertThat(nights.told)
        .extracting(Request.Tell::command)
        .containsExactly(new Command.Stop(Command.Stop.Mode.DRAIN));
  }

  /** An impossible limit is named, and the others are not set without it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"jobs\":5,\"hours\":9999 | hours: expected a number above 0 and up to 744, found 9999",
        "\"hours\":2,\"jobs\":40.5 | jobs: expected a whole number above 0, found 40.5",
        "\"jobs\":5,\"nodeHours\":\"many\" | nodeHours: expected a number above 0, found \"many\"",
        "\"jobs\":5,\"hours\":null | hours: expected a number above 0 and up to 744, found null",
        "\"jobs\":5,\"hour\":2 | expected jobs, hours or nodeHours, found hour"
      })
  void aBudgetWithOneBadLimitIsRefusedWhole(String limits, String why) throws IOException {
    Http.Answer answer = guest.acting().post(COMMANDS, "{\"type\":\"budget\"," + limits + "}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(Json.mapper().readTree(answer.body()).path("refused").asText()).isEqualTo(why);
    assertThat(nights.told).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "{}",
        "{\"port\":99999,\"sessions\":[]}",
        "{\"port\":9999}",
        "{\"port\":9999,\"sessions\":[null]}",
        "{\"port\":9999,\"sessions\":[{}]}",
        "garbage"
      })
  void aDamagedFileLetsNobodyInAndStopsNothing(String text) throws Exception {
    Path kept = Files.writeString(dir.resolve("page.json"), text);
    assertThat(Sessions.kept(kept)).isEmpty();
  }

  /** Cookies are sent to every port of a host, so another user's server may obtain Nightsweep's. */
  @Test
  void anotherUserOfThisMachineIsAnsweredNothingEvenWithTheCookie() throws Exception {
    assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0);
    String request = guest.text("GET /api/sweeps", "");
    assertThat(as(0, request)).startsWith("HTTP/1.1 200").contains("\"id\":\"s\"");
    assertThat(as(65534, request)).isEmpty();
    String act = guest.acting().text("POST " + COMMANDS, PAUSE);
    assertThat(as(65534, act)).isEmpty();
    // In the kernel's table a closed socket belongs to root, whoever opened it.
    for (int i = 0; i < 20; i++) {
      as(65534, act, "cat \"$2\" >&3");
    }
    assertThat(guest.get("/api/sweeps").status()).isEqualTo(200);
    assertThat(nights.told).isEmpty();
  }

  /** Another user's connections occupy no place, whatever they send or do not send. */
  @Test
  void halfSentRequestsOfAnotherUserKeepNobodyOut() throws Exception {
    assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0);
    Process crowd =
        client(
            65534,
            "for i in {1..300}; do exec {fd}<>/dev/tcp/127.0.0.1/$1; printf 'GET / HTTP/1.1' >&$fd; done 2>&-; echo there; sleep 60",
            "");
    try {
      assertThat(crowd.inputReader().readLine()).isEqualTo("there");
      for (int i = 0; i < 3; i++) {
        assertThat(guest.get("/api/sweeps").status()).isEqualTo(200);
      }
    } finally {
      crowd.descendants().forEach(ProcessHandle::destroyForcibly);
      crowd.destroyForcibly();
    }
  }

  /**
   * The daemon's memory and threads are for the sweeps: a faulty browser gets only a limited part.
   */
  @Test
  void connectionsOfOneUserAreLimitedAndAPlaceThatIsLeftIsGiven() throws Exception {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < GuardedSocket.MOST_CONNECTIONS; i++) {
        open.add(new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> guest.get("/").status() == 0);
      open.removeFirst().close();
      await().atMost(Duration.ofSeconds(60)).until(() -> guest.get("/").status() == 200);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private String as(int user, String request) throws Exception {
    return as(user, request, "cat \"$2\" >&3; cat <&3");
  }

  private String as(int user, String request, String how) throws Exception {
    Path file = Files.writeString(Files.createTempFile("request", ".http"), request);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try {
      Process client = client(user, "exec 3<>/dev/tcp/127.0.0.1/$1; " + how, file.toString());
      return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      Files.delete(file);
    }
  }

  private Process client(int user, String script, String file) throws IOException {
    return new ProcessBuilder(
            "setpriv",
            "--reuid=" + user,
            "--clear-groups",
            "bash",
            "-c",
            script,
            "bash",
            "" + port,
            file)
        .start();
  }

  @Test
  void itListensOnLoopbackAloneAndKeepsNoKey() throws IOException {
    Path kept = dir.resolve("state/page.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rw-------");
    String key = guest.text("GET /", "").split("=", 2)[1].lines().findFirst().orElseThrow();
    assertThat(Files.readString(kept)).doesNotContain(key);
    String tables =
        Files.readString(Path.of("/proc/net/tcp")) + Files.readString(Path.of("/proc/net/tcp6"));
    // 127.0.0.1 in the kernel's byte order; 0A is a listening socket.
    assertThat(
            tables.lines().filter(line -> line.matches(".*:%04X \\w+:0000 0A .*".formatted(port))))
        .isNotEmpty()
        .allMatch(line -> line.contains("0100007F:%04X ".formatted(port)));
  }

  @Test
  void aBrowserOutlivesTheDaemonUntilThePageIsClosed() throws IOException {
    nights.close();
    try (Page next =
        new Page(
            nights.directory,
            nights,
            nights.confirming,
            Redaction.byForm(),
            InstantSource.system())) {
      next.reopen();
      assertThat(guest.get("/api/sweeps").status()).isEqualTo(200);
      next.forget();
      next.reopen();
      Reply reply = next.open(new Request.OpenPage(Optional.of(port)));
      assertThat(reply).isInstanceOf(Reply.PageOpen.class);
      assertRefused(guest.get("/api/sweeps"));
    }
  }

  /** An assistant's request is confirmed once, by its name, by a person who has entered. */
  @Test
  void anAssistantsRequestIsConfirmedByItsNameAndOnce() throws Exception {
    Path file = Files.writeString(dir.resolve("sweep.yaml"), "model: <b>m</b>\n");
    AssistantRequest start = nights.asks("start", List.of(file));
    String path = "/api/asked/" + start.id();
    String yes = "{\"type\":\"confirm\",\"confirm\":\"" + start.id() + "\"}";
    assertThat(guest.get("/api/asked").body())
        .contains("\"assistant\":\"bob\"", "\"command\":\"nightsweep start\"", "<b>m</b>");

    assertRefused(anyone.acting().post(path, yes));
    assertRefused(guest.post(path, yes));
    assertThat(guest.acting().post(path, "{\"type\":\"confirm\"}").status()).isEqualTo(400);
    assertThat(guest.acting().post(path, yes.replace(start.id(), "a9")).status()).isEqualTo(400);
    Path copy = nights.copies(start).resolve("sweep.yaml");
    assertThat(copy).as("where the request keeps it").exists();
    Files.writeString(copy, "model: another\n");
    assertThat(guest.acting().post(path, yes).body()).contains("was changed since");
    Files.writeString(copy, "model: <b>m</b>\n");
    Files.writeString(file, "model: edited since\n");
    assertThat(guest.get("/api/asked").body()).contains("<b>m</b>").doesNotContain("edited since");
    assertThat(nights.ran).isEmpty();

    assertThat(guest.acting().post(path, yes).status()).isEqualTo(200);
    assertThat(guest.acting().post(path, yes).body()).contains("is done");
    assertThat(nights.ran).hasSize(1);
    assertThat(nights.ran.getFirst())
        .startsWith("start")
        .last()
        .asString()
        .startsWith("--confirmed-by=")
        .endsWith(" by the page");
    assertThat(guest.get("/api/asked").body()).isEqualTo("[]");
  }
}
