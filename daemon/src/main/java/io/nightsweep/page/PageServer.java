package io.nightsweep.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page's HTTP server, on loopback alone. */
final class PageServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PageServer.class);
  private static final InetAddress LOOPBACK = loopback();
  private static final int BACKLOG = 64;

  /** Sent instead of a redirection, which a browser would follow without the new cookie. */
  private static final String LET_IN =
      "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=/\">"
          + "<link rel=\"icon\" href=\"/assets/icon.svg\">"
          + "<title>Nightsweep</title><a href=\"/\">Nightsweep</a>\n";

  static {
    // Read by the JDK when its server's class is loaded (module jdk.httpserver): a client that
    // dawdles over a request, or opens hundreds of connections, is cut off.
    setUnlessSet("sun.net.httpserver.maxReqTime", "20");
    setUnlessSet("sun.net.httpserver.nodelay", "true");
    setUnlessSet("jdk.httpserver.maxConnections", "128");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Sessions sessions;
  private final Door door;
  private final Routes routes;
  private final int port;

  private PageServer(
      HttpServer server,
      Sessions sessions,
      StateDirectory directory,
      Sweeps sweeps,
      Redaction redaction,
      InstantSource clock)
      throws IOException {
    this.server = server;
    this.sessions = sessions;
    port = server.getAddress().getPort();
    door = new Door(sessions, Peers.ofThisMachine(), ownUser(), port);
    routes =
        new Routes(
            new Views(directory, new Histories(directory, sweeps), redaction, clock),
            sweeps,
            new Metrics(sweeps, clock),
            door,
            System.getProperty("user.name", "unknown"));
  }

  /**
   * Listens.
   *
   * @param port 0 for any free one
   */
  static PageServer open(
      int port,
      List<Sessions.Session> known,
      StateDirectory directory,
      Sweeps sweeps,
      Redaction redaction,
      InstantSource clock)
      throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, port), BACKLOG);
    try {
      Sessions sessions =
          new Sessions(file(directory), server.getAddress().getPort(), known, clock);
      PageServer page = new PageServer(server, sessions, directory, sweeps, redaction, clock);
      server.createContext("/", page::serve);
      server.setExecutor(page.threads);
      server.start();
      return page;
    } catch (IOException | RuntimeException e) {
      server.stop(0);
      throw e;
    }
  }

  static Path file(StateDirectory directory) {
    return directory.root().resolve("page.json");
  }

  int port() {
    return port;
  }

  /** An address that opens the page once. */
  String link() {
    return "http://127.0.0.1:" + port + Door.OPEN + "?key=" + sessions.link();
  }

  boolean isWatched() {
    return routes.isWatched();
  }

  private void serve(HttpExchange http) {
    try (http) {
      if (!door.admits(http)) {
        http.sendResponseHeaders(Exchange.FORBIDDEN, -1);
        return;
      }
      Exchange exchange = new Exchange(http);
      try {
        if (http.getRequestURI().getPath().equals(Door.OPEN)) {
          letIn(exchange);
        } else {
          routes.answer(exchange);
        }
      } catch (IOException | RuntimeException e) {
        broken(exchange, e);
      }
    } catch (IOException e) {
      hungUp(http, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells the daemon's log and the browser, where no answer has begun. */
  private static void broken(Exchange exchange, Exception e) throws IOException {
    HttpExchange http = exchange.http();
    boolean hasBegun = http.getResponseCode() != -1;
    if (hasBegun && e instanceof IOException) {
      hungUp(http, e);
      return;
    }
    log.error("no answer to {}", http.getRequestURI().getPath(), e);
    if (!hasBegun) {
      exchange.json(Exchange.BROKEN, Routes.said("refused", String.valueOf(e.getMessage())));
    }
  }

  private static void hungUp(HttpExchange http, Exception e) {
    // Browsers hang up as they please.
    log.debug("{}: {}", http.getRequestURI().getPath(), e.getMessage());
  }

  private void letIn(Exchange exchange) throws IOException {
    Optional<String> key =
        exchange.isGet()
            ? exchange.query("key").isEmpty()
                ? Optional.empty()
                : sessions.exchange(exchange.query("key").get())
            : Optional.empty();
    if (key.isEmpty()) {
      exchange.status(Exchange.FORBIDDEN);
      return;
    }
    exchange
        .http()
        .getResponseHeaders()
        .set(
            "Set-Cookie",
            "%s=%s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%d"
                .formatted(door.cookieName(), key.get(), Sessions.SESSION_IS_GOOD.toSeconds()));
    exchange.bytes(
        Exchange.OK, "text/html; charset=utf-8", LET_IN.getBytes(StandardCharsets.UTF_8));
  }

  private static int ownUser() throws IOException {
    Path self = Path.of("/proc/self");
    return Files.exists(self) ? (Integer) Files.getAttribute(self, "unix:uid") : -1;
  }

  private static InetAddress loopback() {
    try {
      return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    routes.close();
  }
}
