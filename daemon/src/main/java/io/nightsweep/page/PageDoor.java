package io.nightsweep.page;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who is let in. Loopback on a login node is open to all its users, and a browser carries the
 * requests of every site that it visits: a request passes where it names this host and not one that
 * was pointed here, comes from no other site, and carries the cookie of a session. That it comes
 * from a process of the same user is seen before, by {@link GuardedSocket}.
 */
final class PageDoor {
  /** A form can send no header of its own, and a script of another site may not send this one. */
  static final String ACT_HEADER = "X-Nightsweep";

  static final String ACT_VALUE = "act";

  /** The path that a link leads to. */
  static final String OPEN = "/open";

  private final Sessions sessions;
  private final int port;

  PageDoor(Sessions sessions, int port) {
    this.sessions = sessions;
    this.port = port;
  }

  /** Whether the request may be answered at all. */
  boolean admits(Exchange exchange) {
    List<String> host = exchange.headers("Host");
    boolean isLink = isLink(exchange);
    return host.size() == 1
        && hosts().contains(host.getFirst())
        && exchange.authority().map(hosts()::contains).orElse(true)
        && exchange.header("Origin").map(this::isOwn).orElse(true)
        // A link may be clicked in a chat of another site; what it leads to is good once.
        && (isLink || isFromHere(exchange))
        && (isLink || cookies(exchange).anyMatch(sessions::knows));
  }

  /** Whether the request is for what a link leads to. */
  static boolean isLink(Exchange exchange) {
    return exchange.target().split("\\?", 2)[0].equals(OPEN);
  }

  /** Whether an admitted request may change something. */
  boolean mayAct(Exchange exchange) {
    return exchange.header(ACT_HEADER).filter(ACT_VALUE::equals).isPresent()
        && exchange.header("Origin").filter(this::isOwn).isPresent()
        && exchange
            .header("Content-Type")
            .filter(type -> type.startsWith("application/json"))
            .isPresent();
  }

  String cookieName() {
    // Cookies know no ports: two daemons of one host must not take each other's.
    return "nightsweep-" + port;
  }

  private Set<String> hosts() {
    return Set.of("127.0.0.1:" + port, "localhost:" + port);
  }

  private boolean isOwn(String origin) {
    return origin.startsWith("http://") && hosts().contains(origin.substring("http://".length()));
  }

  /** What browsers say of where a request comes from (Fetch Metadata); others say nothing. */
  private static boolean isFromHere(Exchange exchange) {
    return exchange
        .header("Sec-Fetch-Site")
        .map(site -> site.equals("same-origin") || site.equals("none"))
        .orElse(true);
  }

  /** All of the name: a server on another port of this host may have set one before ours. */
  private Stream<String> cookies(Exchange exchange) {
    return exchange.headers("Cookie").stream()
        .flatMap(line -> List.of(line.split(";")).stream())
        .map(String::strip)
        .filter(pair -> pair.startsWith(cookieName() + "="))
        .map(pair -> pair.substring(cookieName().length() + 1));
  }
}
