package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no browser sends: malformed, repeated, with other methods, for unknown paths. */
@Tag("page")
@Tag("guard")
@Tag("slow")
class RequestTest extends AtTheDoor {
  /** An invalid request is refused like any other, and is not told what is wrong. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: @HOST@\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "@NUL@ markup <b>\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: @HOST@\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: @HOST@\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: -5\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: @HOST@\r\n@MANY@\r\n",
        "GET / HTTP/1.1\r\nHost: @HOST@\r\nA: @LONG@\r\n\r\n"
      })
  void whatIsNoRequestLooksRefusedToo(String text) throws IOException {
    String answer =
        anyone.raw(
            text.replace("@HOST@", "127.0.0.1:" + port)
                .replace("@NUL@", "\0\1")
                .replace("@MANY@", "A: b\r\n".repeat(200))
                .replace("@LONG@", "b".repeat(70_000)));
    assertThat(answer.lines().filter(line -> !line.startsWith("Date:")))
        .containsExactlyInAnyOrder(
            "HTTP/1.1 403 Forbidden", "Content-Length: 0", "Connection: close", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "PATCH", "CONNECT", "get"})
  void otherMethodsTellAndChangeNothing(String method) throws IOException {
    for (String path : List.of("/api/sweeps", COMMANDS, "/metrics")) {
      assertRefused(anyone.acting().send(method + " " + path, ""));
      Http.Answer answer = guest.acting().send(method + " " + path, "");
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.body()).isEmpty();
    }
    String link = nights.open().link();
    String path = link.substring(link.indexOf(PageDoor.OPEN));
    assertRefused(anyone.send(method + " " + path, ""));
    assertThat(nights.told).isEmpty();
    // Only the person who opens a link spends it.
    assertThat(anyone.get(path).status()).isEqualTo(200);
  }

  /** The body of one request is never read as the head of the next. */
  @Test
  void aRequestWithTwoLengthsEndsTheConnection() throws IOException {
    String hidden = guest.acting().text("POST " + COMMANDS, PAUSE);
    String head = guest.acting().text("POST " + COMMANDS, "").replace("Connection: close\r\n", "");
    String both =
        head.strip()
            + "\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            + hidden;
    String twice = head.strip() + "\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\n" + hidden;
    for (String request : List.of(both, twice)) {
      assertThat(guest.raw(request).split("HTTP/1.1 ", -1)).hasSize(2);
    }
    assertThat(nights.told).isEmpty();
  }

  /** RFC 9112, 3.2.2: the host in a target takes precedence over the header's. */
  @Test
  void aTargetThatNamesAnotherHostIsRefused() throws IOException {
    String own = guest.text("GET http://127.0.0.1:" + port + "/api/sweeps", "");
    assertThat(guest.raw(own)).startsWith("HTTP/1.1 200");
    assertThat(guest.raw(own.replace("http://127.0.0.1:" + port + "/", "http://evil.example/")))
        .startsWith("HTTP/1.1 403");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/assets/../../page.json",
        "/assets/%2e%2e/page.css",
        "/assets/..%2fpage.css",
        "/assets/app.js%00.css",
        "/assets/",
        "/api/sweeps/..",
        "/api/sweeps/..%2f..%2fpage.json",
        "/api/sweeps/%zz",
        "/api/sweeps/s/compare?with=../s",
        "/api/sweeps/s/steps?attempt=../../page.json",
        "/page.json"
      })
  void noPathLeadsOutOfWhatIsServed(String path) throws IOException {
    Http.Answer answer = guest.get(path);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEmpty();
  }

  /** Whatever a browser claims to have cached, it gets the current content. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "999999999999999999",
        "99999999999999999999999",
        "-1",
        "1e9",
        "0x10",
        "NaN",
        "1\t2"
      })
  void anIdThatNoEventHasIsAnsweredWithTheWhole(String id) throws IOException {
    int last = Nights.night(1).size();
    assertThat(
            guest
                .with("Last-Event-ID", id)
                .until("/api/sweeps/s/events", "\"seq\":" + last + ",.*\"whole\":true"))
        .contains("\nid: " + last + "\n");
  }

  @Test
  void aHeaderWithoutEndTakesNoMemory() throws IOException {
    int status;
    try {
      status = guest.with("X-Long", "y".repeat(1 << 22)).get("/").status();
    } catch (IOException e) {
      // The connection was closed in the middle.
      status = 0;
    }
    assertThat(status).isNotEqualTo(200);
    assertThat(guest.get("/").status()).isEqualTo(200);
  }
}
