package io.nightsweep.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.commons.codec.digest.DigestUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions: who may see the page. A link works once, within ten minutes, and is exchanged for a
 * session. Sessions are kept in a file that only its owner can read, so a browser's cookie survives
 * a restart of the daemon. File and memory hold only hashes, from which no key can be recovered.
 */
final class Sessions {
  static final Duration LINK_IS_GOOD = Duration.ofMinutes(10);
  static final Duration SESSION_IS_GOOD = Duration.ofDays(7);

  private static final int KEY_BYTES = 32;
  private static final int MOST_LINKS = 16;
  private static final int MOST_SESSIONS = 32;

  private final Path file;
  private static final int HIGHEST_PORT = 65_535;

  private static final Logger log = LoggerFactory.getLogger(Sessions.class);

  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Instant> links = new TreeMap<>();
  private final List<Session> sessions = new ArrayList<>();
  private final int port;

  record Session(String hash, Instant until) {
    Session {
      Objects.requireNonNull(hash);
      Objects.requireNonNull(until);
    }
  }

  /** What the file says: that the page is open, on which port, and for which sessions. */
  record SessionFile(int port, List<Session> sessions) {
    SessionFile {
      // Throws where a damaged file lacks the list or one of its fields.
      sessions = List.copyOf(sessions);
    }
  }

  Sessions(Path file, int port, List<Session> sessions, InstantSource clock) throws IOException {
    this.file = file;
    this.port = port;
    this.clock = clock;
    this.sessions.addAll(sessions);
    write();
  }

  /**
   * What an earlier daemon kept. Empty where the page was closed or never opened, or where the file
   * is damaged; then every browser needs a new link.
   */
  static Optional<SessionFile> kept(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(Json.mapper().readValue(Files.readString(file), SessionFile.class))
          .filter(kept -> kept.port() > 0 && kept.port() <= HIGHEST_PORT);
    } catch (JsonProcessingException e) {
      log.warn("{} is damaged; every browser needs a new link: nightsweep page", file);
      return Optional.empty();
    }
  }

  /** Creates a key that opens the page once. */
  synchronized String link() {
    Instant now = clock.instant();
    links.values().removeIf(until -> until.isBefore(now));
    if (links.size() >= MOST_LINKS) {
      links.clear();
    }
    String key = key();
    links.put(DigestUtils.sha256Hex(key), now.plus(LINK_IS_GOOD));
    return key;
  }

  /** Exchanges a link for a session; empty where the link is unknown, used or expired. */
  synchronized Optional<String> exchange(String link) throws IOException {
    Instant until = links.remove(DigestUtils.sha256Hex(link));
    if (until == null || until.isBefore(clock.instant())) {
      return Optional.empty();
    }
    String key = key();
    sessions.removeIf(s -> s.until().isBefore(clock.instant()));
    if (sessions.size() >= MOST_SESSIONS) {
      sessions.removeFirst();
    }
    sessions.add(new Session(DigestUtils.sha256Hex(key), clock.instant().plus(SESSION_IS_GOOD)));
    write();
    return Optional.of(key);
  }

  /** Whether the key belongs to a session. Comparing hashes keeps timing from revealing the key. */
  synchronized boolean knows(String key) {
    String hash = DigestUtils.sha256Hex(key);
    Instant now = clock.instant();
    return sessions.stream().anyMatch(s -> s.hash().equals(hash) && !s.until().isBefore(now));
  }

  private void write() throws IOException {
    OwnFile.write(
        file, Json.mapper().writeValueAsString(new SessionFile(port, List.copyOf(sessions))));
  }

  private String key() {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
