package io.nightsweep.page;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides who is let in. All users of a login node can reach its loopback address, and a browser
 * also sends requests on behalf of other sites. A request passes if it names this host (not a
 * foreign name that resolves to it), comes from no other site, and has a session's cookie. {@link
 * GuardedSocket} has checked before that it comes from a process of the same user.
 */
final class PageDoor {
  /**
   * Only scripts of our own page can send this header: a form cannot set headers, and a browser
   * does not let other sites' scripts set this one.
   */
  static final String ACT_HEADER = "X-Nightsweep";

  static final String ACT_VALUE = "act";

  /** The path of one-time links. */
  static final String OPEN = "/open";

  private final Sessions sessions;
  private final int port;

  PageDoor(Sessions sessions, int port) {
    this.sessions = sessions;
    this.port = port;
  }

  /** Whether the request may get an answer other than a refusal. */
  boolean admits(Exchange exchange) {
    List<String> host = exchange.headers("Host");
    boolean isLink = isLink(exchange);
    return host.size() == 1
        && hosts().contains(host.getFirst())
        && exchange.authority().map(hosts()::contains).orElse(true)
        && exchange.header("Origin").map(this::isOwn).orElse(true)
        // A link may be clicked in a chat on another site; its key works only once.
        && (isLink || isFromHere(exchange))
        && (isLink || cookies(exchange).anyMatch(sessions::knows));
  }

  /** Whether the request's path is that of a one-time link. */
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
    // Cookies are shared across ports: the name keeps two daemons on one host apart.
    return "nightsweep-" + port;
  }

  private Set<String> hosts() {
    return Set.of("127.0.0.1:" + port, "localhost:" + port);
  }

  private boolean isOwn(String origin) {
    return origin.startsWith("http://") && hosts().contains(origin.substring("http://".length()));
  }

  /**
   * Whether the request comes from this page according to Fetch Metadata; browsers without it pass.
   */
  private static boolean isFromHere(Exchange exchange) {
    return exchange
        .header("Sec-Fetch-Site")
        .map(site -> site.equals("same-origin") || site.equals("none"))
        .orElse(true);
  }

  /** All cookies of the name: a server on another port of this host may have set one too. */
  private Stream<String> cookies(Exchange exchange) {
    return exchange.headers("Cookie").stream()
        .flatMap(line -> List.of(line.split(";")).stream())
        .map(String::strip)
        .filter(pair -> pair.startsWith(cookieName() + "="))
        .map(pair -> pair.substring(cookieName().length() + 1));
  }
}
