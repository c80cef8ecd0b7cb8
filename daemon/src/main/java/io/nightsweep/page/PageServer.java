package io.nightsweep.page;

import io.nightsweep.asked.Confirming;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.files.Ours;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.bootstrap.HttpServer;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnectionFactory;
import org.apache.hc.core5.http.impl.io.HttpService;
import org.apache.hc.core5.http.io.HttpServerRequestHandler;
import org.apache.hc.core5.http.io.HttpServerRequestHandler.ResponseTrigger;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.ResponseConnControl;
import org.apache.hc.core5.http.protocol.ResponseContent;
import org.apache.hc.core5.http.protocol.ResponseDate;
import org.apache.hc.core5.io.CloseMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page's HTTP server, on the loopback address only. */
final class PageServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PageServer.class);
  private static final InetAddress LOOPBACK = loopback();
  private static final int BACKLOG = 64;

  /** Sent instead of a redirect: on a redirect the browser would not send the new cookie. */
  private static final String LET_IN =
      "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=/\">"
          + "<link rel=\"icon\" href=\"/assets/icon.svg\">"
          + "<title>Nightsweep</title><a href=\"/\">Nightsweep</a>\n";

  /** A client that is silent for this long, within a request or between two, is disconnected. */
  private static final int SILENCE_SECONDS = 20;

  /**
   * A browser sends its cookies for all ports of a host in one line, which can be long; the library
   * itself sets no limits.
   */
  private static final Http1Config LIMITS =
      Http1Config.custom().setMaxLineLength(1 << 16).setMaxHeaderCount(100).build();

  private final GuardedSocket socket;
  private final HttpServer server;
  private final Sessions sessions;
  private final PageDoor door;
  private final Routes routes;

  private PageServer(
      GuardedSocket socket,
      Sessions sessions,
      StateDirectory directory,
      PageSweeps sweeps,
      Confirming confirming,
      Redaction redaction,
      InstantSource clock) {
    this.socket = socket;
    this.sessions = sessions;
    door = new PageDoor(sessions, port());
    routes =
        new Routes(
            new Views(directory, new Histories(directory, sweeps), redaction, clock),
            sweeps,
            new AskedRows(confirming, redaction),
            new Metrics(sweeps, clock),
            door,
            System.getProperty("user.name", "unknown"));
    server =
        new HttpServer(
            port(),
            new UniformErrors((request, trigger, context) -> serve(request, trigger)),
            LOOPBACK,
            SocketConfig.custom()
                .setSoTimeout(SILENCE_SECONDS, TimeUnit.SECONDS)
                .setTcpNoDelay(true)
                // Otherwise the next daemon could not listen until this one's last connections are
                // gone.
                .setSoReuseAddress(true)
                .build(),
            new Already(socket),
            DefaultBHttpServerConnectionFactory.builder().http1Config(LIMITS).build(),
            null,
            null,
            null);
  }

  /**
   * Starts to listen.
   *
   * @param port 0 for any free port
   */
  static PageServer open(
      int port,
      List<Sessions.Session> known,
      StateDirectory directory,
      PageSweeps sweeps,
      Confirming confirming,
      Redaction redaction,
      InstantSource clock)
      throws IOException {
    GuardedSocket socket =
        new GuardedSocket(Peers.ofThisMachine(), Ours.user(), port, BACKLOG, LOOPBACK);
    try {
      Sessions sessions = new Sessions(file(directory), socket.getLocalPort(), known, clock);
      PageServer page =
          new PageServer(socket, sessions, directory, sweeps, confirming, redaction, clock);
      page.server.start();
      return page;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  static Path file(StateDirectory directory) {
    return directory.root().resolve("page.json");
  }

  int port() {
    return socket.getLocalPort();
  }

  /** A link that opens the page once. */
  String link() {
    return "http://127.0.0.1:" + port() + PageDoor.OPEN + "?key=" + sessions.link();
  }

  boolean isWatched() {
    return routes.isWatched();
  }

  private void serve(ClassicHttpRequest request, ResponseTrigger trigger) throws IOException {
    Exchange exchange = new Exchange(request, trigger);
    if (!door.admits(exchange)) {
      exchange.refuse();
      return;
    }
    exchange.admit();
    try {
      if (PageDoor.isLink(exchange)) {
        letIn(exchange);
      } else {
        routes.answer(exchange);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (exchange.hasBegun() && e instanceof IOException) {
        // The browser closed its connection, which is no error.
        throw e;
      }
      if (e instanceof IOException) {
        // A file could not be read. One line is enough, since browsers repeat the request.
        log.warn("no answer to {}: {}", exchange.path(), e.getMessage());
      } else {
        log.error("no answer to {}", exchange.path(), e);
      }
      if (!exchange.hasBegun()) {
        exchange.json(Exchange.BROKEN, Routes.said("refused", String.valueOf(e.getMessage())));
      }
    }
  }

  private void letIn(Exchange exchange) throws IOException {
    Optional<String> key =
        exchange.isGet()
            ? exchange.query("key").isEmpty()
                ? Optional.empty()
                : sessions.exchange(exchange.query("key").get())
            : Optional.empty();
    if (key.isEmpty()) {
      exchange.refuse();
      return;
    }
    exchange.set(
        "Set-Cookie",
        door.cookieName()
            + "="
            + key.get()
            + "; HttpOnly; SameSite=Strict; Path=/; Max-Age="
            + Sessions.SESSION_IS_GOOD.toSeconds());
    exchange.bytes(
        Exchange.OK, "text/html; charset=utf-8", LET_IN.getBytes(StandardCharsets.UTF_8));
  }

  private static InetAddress loopback() {
    try {
      return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Answers a malformed request exactly like a request without a session. */
  private static final class UniformErrors extends HttpService {
    UniformErrors(HttpServerRequestHandler handler) {
      super(
          HttpProcessorBuilder.create()
              .addAll(new ResponseDate(), new ResponseContent(), new ResponseConnControl())
              .build(),
          handler);
    }

    @Override
    protected void handleException(HttpException problem, ClassicHttpResponse response) {
      response.setCode(Exchange.FORBIDDEN);
    }
  }

  /** Hands the server a socket that is already listening. */
  private static final class Already extends ServerSocketFactory {
    private final ServerSocket socket;

    Already(ServerSocket socket) {
      this.socket = socket;
    }

    @Override
    public ServerSocket createServerSocket(int port) {
      return socket;
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) {
      return socket;
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
      return socket;
    }
  }

  @Override
  public void close() {
    server.close(CloseMode.IMMEDIATE);
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("the page's socket: {}", e.getMessage());
    }
    routes.close();
  }
}
