package io.nightsweep.page;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** Requests the same files as a browser, and follows the stream like one. */
final class Follower {
  private final Http guest;

  Follower(String link) throws IOException {
    URI uri = URI.create(link);
    Http anyone = new Http(uri.getPort());
    Http.Answer answer = anyone.get(uri.getPath() + "?" + uri.getQuery());
    guest = anyone.with("Cookie", answer.header("Set-Cookie").split(";")[0]);
  }

  /** Loads the page and a sweep, then reads the stream until it is closed. */
  Stream follow(String sweep) throws IOException {
    for (String path : new String[] {"/", "/api/texts", "/api/sweeps"}) {
      answered(guest.get(path));
    }
    String whole = answered(guest.get("/api/sweeps/" + sweep)).body();
    String seq = whole.replaceFirst("(?s).*?\"seq\":(\\d+).*", "$1");
    String started = whole.replaceFirst("(?s).*\"startedAt\":(\\d+),\"deadline.*", "$1");
    return new Stream(
        guest.with("Last-Event-ID", seq), "/api/sweeps/" + sweep + "/events?started=" + started);
  }

  private static Http.Answer answered(Http.Answer answer) throws IOException {
    if (answer.status() != Exchange.OK) {
      throw new IOException("the page answers " + answer.status());
    }
    return answer;
  }

  /** A stream with its own reader thread. */
  static final class Stream implements AutoCloseable {
    private final Http.Following following;
    private volatile int frames;
    private volatile Optional<IOException> failure = Optional.empty();

    private Stream(Http guest, String path) throws IOException {
      following = guest.follow(path);
      Thread.ofPlatform().daemon().name("follower").start(this::read);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    private void read() {
      try {
        String line;
        while ((line = following.line()) != null) {
          if (line.equals("event: frame")) {
            frames++;
          }
        }
      } catch (IOException e) {
        failure = Optional.of(e);
      }
    }

    /** Frames received so far. */
    int frames() throws IOException {
      if (failure.isPresent()) {
        throw failure.get();
      }
      return frames;
    }

    @Override
    public void close() throws IOException {
      following.close();
    }
  }
}
