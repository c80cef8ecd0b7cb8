package io.nightsweep.page;

import io.nightsweep.asked.Confirming;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.OwnerLock;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon's web page. It is closed until somebody opens it, and then stays open, across restarts
 * of the daemon, until somebody closes it.
 */
public final class Page implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Page.class);

  private final StateDirectory directory;
  private final PageSweeps sweeps;
  private final Confirming confirming;
  private final Redaction redaction;
  private final InstantSource clock;
  private @Nullable PageServer server;

  public Page(
      StateDirectory directory,
      PageSweeps sweeps,
      Confirming confirming,
      Redaction redaction,
      InstantSource clock) {
    this.directory = directory;
    this.sweeps = sweeps;
    this.confirming = confirming;
    this.redaction = redaction;
    this.clock = clock;
  }

  /**
   * Opens the page again if it was open under an earlier daemon. A failure is logged; sweeps go on
   * without the page.
   */
  public synchronized void reopen() {
    try {
      Optional<Sessions.SessionFile> kept = Sessions.kept(PageServer.file(directory));
      if (kept.isPresent() && server == null) {
        server = listen(kept.get().port(), kept.get().sessions());
        log.info("the page is open on port {}", server.port());
      }
    } catch (IOException e) {
      log.warn("the page could not be opened again ({}); open it: nightsweep page", e.getMessage());
    }
  }

  /** Opens the page, or creates another link if it is open already. */
  public synchronized Reply open(Request.OpenPage request) {
    try {
      if (server != null && request.port().filter(this::isElsewhere).isPresent()) {
        return new Reply.Refused(
            "the page is open on another port; close it first: nightsweep page --close");
      }
      PageServer open = server == null ? opened(request.port()) : server;
      server = open;
      return new Reply.PageOpen(open.link(), host(), open.port());
    } catch (IOException e) {
      return new Reply.Refused(
          "the page cannot listen ("
              + e.getMessage()
              + "); choose another port: nightsweep page --port N");
    }
  }

  private boolean isElsewhere(int port) {
    return server != null && server.port() != port;
  }

  private PageServer opened(Optional<Integer> port) throws IOException {
    Optional<Sessions.SessionFile> kept = Sessions.kept(PageServer.file(directory));
    return listen(
        port.or(() -> kept.map(Sessions.SessionFile::port)).orElse(0),
        kept.map(Sessions.SessionFile::sessions).orElse(List.of()));
  }

  /** Closes the page and ends every browser's session. */
  public synchronized Reply forget() {
    close();
    try {
      Files.deleteIfExists(PageServer.file(directory));
      return new Reply.Accepted();
    } catch (IOException e) {
      return new Reply.Refused(
          "the page is closed, but opens again with the next daemon: " + e.getMessage());
    }
  }

  public synchronized boolean isWatched() {
    return server != null && server.isWatched();
  }

  private PageServer listen(int port, List<Sessions.Session> known) throws IOException {
    return PageServer.open(port, known, directory, sweeps, confirming, redaction, clock);
  }

  private String host() throws IOException {
    return OwnerLock.owner(directory.owner()).map(OwnerLock.Owner::host).orElse("localhost");
  }

  @Override
  public synchronized void close() {
    if (server != null) {
      server.close();
      server = null;
    }
  }
}
