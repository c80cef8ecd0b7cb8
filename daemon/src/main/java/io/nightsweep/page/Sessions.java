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
 * Who may see the page. A link is good once and for ten minutes; it is exchanged for a session,
 * which is kept in a file for its owner alone, so that a browser's cookie outlives the daemon. The
 * file and the memory hold hashes: neither gives a key away.
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

  /** What is kept in the file: that the page is open, where, and for whom. */
  record Kept(int port, List<Session> sessions) {
    Kept {
      // Fails on a list, or a member, that a damaged file lacks.
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
   * What an earlier daemon kept; empty where the page was closed, or never opened, and where the
   * file is damaged: then every browser needs a new link.
   */
  static Optional<Kept> kept(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(Json.mapper().readValue(Files.readString(file), Kept.class))
          .filter(kept -> kept.port() > 0 && kept.port() <= HIGHEST_PORT);
    } catch (JsonProcessingException e) {
      log.warn("{} is damaged; who was let in needs a new link: nightsweep page", file);
      return Optional.empty();
    }
  }

  /** A key that opens the page once. */
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

  /** The session that the link is exchanged for; empty where it is unknown, used or stale. */
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

  /** Whether the key is that of a session. Hashes are compared, so that no time tells of a key. */
  synchronized boolean knows(String key) {
    String hash = DigestUtils.sha256Hex(key);
    Instant now = clock.instant();
    return sessions.stream().anyMatch(s -> s.hash().equals(hash) && !s.until().isBefore(now));
  }

  private void write() throws IOException {
    OwnFile.write(file, Json.mapper().writeValueAsString(new Kept(port, List.copyOf(sessions))));
  }

  private String key() {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
