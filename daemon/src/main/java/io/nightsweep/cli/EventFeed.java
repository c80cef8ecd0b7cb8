package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Json;
import io.nightsweep.report.EventLines;
import io.nightsweep.sweep.Entry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A sweep's events after a sequence number, for programs that poll with the last number they know.
 */
final class EventFeed {
  private static final Duration LOOK = Duration.ofMillis(250);

  /** The most events in one answer; the reader polls again for the rest. */
  private static final int MOST = 200;

  /**
   * @param type the event's name, as in the journal
   * @param text an English line, which may quote jobs and people
   */
  record FeedLine(long seq, Instant at, String type, String text) {}

  private final SweepDirectory sweep;

  EventFeed(SweepDirectory sweep) {
    this.sweep = sweep;
  }

  /**
   * Returns new events, and waits if there are none yet.
   *
   * @param since the last sequence number that is known
   * @param patience zero to look once
   * @return the oldest first, at most {@value #MOST}
   */
  List<FeedLine> after(long since, Duration patience) throws IOException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    List<FeedLine> news = read(since);
    long length = Files.size(sweep.journal());
    while (news.isEmpty() && System.nanoTime() < end) {
      Thread.sleep(LOOK);
      long now = Files.size(sweep.journal());
      if (now != length) {
        length = now;
        news = read(since);
      }
    }
    return news;
  }

  void print(PrintWriter out, long since, Duration patience)
      throws IOException, InterruptedException {
    for (FeedLine event : after(since, patience)) {
      out.println(Json.mapper().writeValueAsString(event));
    }
    out.flush();
  }

  private List<FeedLine> read(long since) throws IOException {
    List<FeedLine> news = new ArrayList<>();
    JournalReader.read(
        sweep.journal(),
        (Entry e) -> {
          if (e.seq() > since && news.size() < MOST) {
            news.add(
                new FeedLine(
                    e.seq(),
                    e.at(),
                    e.event().getClass().getSimpleName(),
                    EventLines.of(e.event())));
          }
        });
    return news;
  }
}
