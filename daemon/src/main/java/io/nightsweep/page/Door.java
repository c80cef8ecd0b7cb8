package io.nightsweep.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Who is let in. Loopback on a login node is open to all its users, and a browser carries the
 * requests of every site that it visits: a request passes where it comes from a process of the same
 * user, names this host and not one that was pointed here, comes from no other site, and carries
 * the cookie of a session.
 */
final class Door {
  /** A form can send no header of its own, and a script of another site may not send this one. */
  static final String ACT_HEADER = "X-Nightsweep";

  static final String ACT_VALUE = "act";

  /** The path that a link leads to. */
  static final String OPEN = "/open";

  private static final int ROOT = 0;

  private final Sessions sessions;
  private final Peers peers;
  private final int user;
  private final int port;

  Door(Sessions sessions, Peers peers, int user, int port) {
    this.sessions = sessions;
    this.peers = peers;
    this.user = user;
    this.port = port;
  }

  /** Whether the request may be answered at all. */
  boolean admits(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    boolean isLink = exchange.getRequestURI().getPath().equals(OPEN);
    return isOfThisUser(exchange)
        && headers.getOrDefault("Host", List.of()).size() == 1
        && hosts().contains(headers.getFirst("Host"))
        && Optional.ofNullable(headers.getFirst("Origin")).map(this::isOwn).orElse(true)
        // A link may be clicked in a chat of another site; what it leads to is good once.
        && (isLink || isFromHere(headers))
        && (isLink || cookie(headers).filter(sessions::knows).isPresent());
  }

  /** Whether an admitted request may change something. */
  boolean mayAct(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    return ACT_VALUE.equals(headers.getFirst(ACT_HEADER))
        && Optional.ofNullable(headers.getFirst("Origin")).map(this::isOwn).orElse(false)
        && Optional.ofNullable(headers.getFirst("Content-Type"))
            .map(type -> type.startsWith("application/json"))
            .orElse(false);
  }

  String cookieName() {
    // Cookies know no ports: two daemons of one host must not take each other's.
    return "nightsweep-" + port;
  }

  private boolean isOfThisUser(HttpExchange exchange) throws IOException {
    if (!peers.isTold()) {
      return true;
    }
    OptionalInt peer = peers.user(exchange.getRemoteAddress(), exchange.getLocalAddress());
    return peer.isPresent() && (peer.getAsInt() == user || peer.getAsInt() == ROOT);
  }

  private Set<String> hosts() {
    return Set.of("127.0.0.1:" + port, "localhost:" + port);
  }

  private boolean isOwn(String origin) {
    return origin.startsWith("http://") && hosts().contains(origin.substring("http://".length()));
  }

  /** What browsers say of where a request comes from (Fetch Metadata); others say nothing. */
  private static boolean isFromHere(Headers headers) {
    String site = headers.getFirst("Sec-Fetch-Site");
    return site == null || site.equals("same-origin") || site.equals("none");
  }

  private Optional<String> cookie(Headers headers) {
    return headers.getOrDefault("Cookie", List.of()).stream()
        .flatMap(line -> List.of(line.split(";")).stream())
        .map(String::strip)
        .filter(pair -> pair.startsWith(cookieName() + "="))
        .map(pair -> pair.substring(cookieName().length() + 1))
        .findFirst();
  }
}
