package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Replay;
import io.nightsweep.report.EventLines;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Reads a journal again whenever it has grown, and turns its new events into lines for people. */
final class Announcements {
  /**
   * @param words one line, safe for a terminal
   */
  record AnnouncedLine(Instant at, String words) {}

  private record SeenEntry(Entry entry, SweepState state) {}

  private final SweepDirectory sweep;
  private final int most;
  private SweepState state = SweepState.empty();
  private long length = -1;
  private long seen;

  /**
   * @param most lines that one look returns; older ones are left out
   */
  Announcements(SweepDirectory sweep, int most) {
    this.sweep = sweep;
    this.most = most;
  }

  SweepState state() {
    return state;
  }

  /** The events since the last look, the oldest first. */
  List<AnnouncedLine> look() throws IOException {
    long now = Files.size(sweep.journal());
    if (now == length) {
      return List.of();
    }
    length = now;
    Deque<SeenEntry> news = new ArrayDeque<>();
    Replay replay = new Replay();
    JournalReader.read(
        sweep.journal(),
        entry -> {
          replay.accept(entry);
          if (entry.seq() > seen && isWorthALine(entry.event())) {
            news.add(new SeenEntry(entry, replay.state()));
            if (news.size() > most) {
              news.remove();
            }
          }
          seen = Math.max(seen, entry.seq());
        });
    state = replay.state();
    return news.stream().map(Announcements::line).toList();
  }

  private static AnnouncedLine line(SeenEntry seen) {
    return new AnnouncedLine(seen.entry().at(), Terminal.plain(words(seen)));
  }

  private static String words(SeenEntry seen) {
    return switch (seen.entry().event()) {
      case Event.AttemptStarted e ->
          Judged.profile(seen.state(), e.attempt()) + ": " + EventLines.of(e);
      case Event.AttemptJudged e -> Judged.words(seen.state(), e);
      default -> EventLines.of(seen.entry().event());
    };
  }

  private static boolean isWorthALine(Event event) {
    return switch (event) {
      case Event.WaveOpened e -> true;
      case Event.WaveClosed e -> true;
      case Event.WaveSkipped e -> true;
      case Event.AttemptStarted e -> true;
      case Event.AttemptJudged e -> true;
      case Event.ProfileDropped e -> true;
      case Event.ConfirmationPlanned e -> true;
      case Event.CommandAccepted e -> true;
      case Event.ClusterUnreachable e -> true;
      case Event.ClusterReachable e -> true;
      case Event.RemedyBegun e -> true;
      case Event.QuestionAsked e -> true;
      case Event.QuestionLapsed e -> true;
      case Event.SweepHalted e -> true;
      case Event.SweepFinished e -> true;
      default -> false;
    };
  }
}
