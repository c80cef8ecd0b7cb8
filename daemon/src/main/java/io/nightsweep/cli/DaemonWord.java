package io.nightsweep.cli;

import io.nightsweep.chat.Chat;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.OwnerLock;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the daemon reports about a sweep and the journal does not contain. */
final class DaemonWord {
  private static final Duration LATE = Duration.ofMinutes(2);

  /**
   * Limit for the daemon's answer. Even a loaded machine answers in this time; only a dead daemon
   * uses it up.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Whether a daemon looks after a sweep. */
  enum Care {
    /** The sweep has finished and needs no daemon. */
    OVER,
    NO_DAEMON,
    NO_ANSWER,
    /** A daemon answers, but does not run this sweep or has not looked at it for long. */
    NEGLECTED,
    DRIVEN
  }

  /**
   * @param lines for people
   */
  record Word(Care care, List<String> lines) {
    Word {
      lines = List.copyOf(lines);
    }

    /**
     * Whether the sweep has stood still since its last event for lack of a daemon, whatever its
     * journal says.
     */
    boolean isWithoutDaemon() {
      return care == Care.NO_DAEMON;
    }
  }

  private final StateDirectory state;

  DaemonWord(StateDirectory state) {
    this.state = state;
  }

  /** What only the daemon knows, or the fact that there is no daemon. */
  Word about(Progress progress) throws IOException {
    if (progress.phase() instanceof Phase.Finished) {
      return new Word(Care.OVER, List.of());
    }
    if (!hasDaemon()) {
      return new Word(
          Care.NO_DAEMON,
          List.of(
              "  no daemon drives it; to go on: nightsweep start" + lastWritten(progress.sweep())));
    }
    try {
      Reply reply = new DaemonClient(state).ask(new Request.Sweeps(), PATIENCE);
      return reply instanceof Reply.Hosting hosting
          ? said(hosting, progress.sweep())
          : new Word(Care.NEGLECTED, List.of("  the daemon gave an unexpected answer: " + reply));
    } catch (DaemonClient.NoDaemonException e) {
      return new Word(
          Care.NO_ANSWER,
          List.of(
              "  NO ANSWER: "
                  + new DaemonClient(state).silence().orElse("its daemon has just ended")
                  + lastWritten(progress.sweep())));
    }
  }

  /** Whether a daemon owns the state directory, even if it does not answer. */
  boolean hasDaemon() throws IOException {
    return OwnerLock.owner(state.owner())
        .filter(o -> o.life() != OwnerLock.Owner.OwnerLife.DEAD)
        .isPresent();
  }

  private String lastWritten(String sweep) throws IOException {
    Instant written = Files.getLastModifiedTime(state.sweep(sweep).journal()).toInstant();
    return "; its journal was last written %s ago"
        .formatted(age(Duration.between(written, Instant.now())));
  }

  static Word said(Reply.Hosting hosting, String sweep) {
    Care care = Care.NEGLECTED;
    List<String> warnings = new ArrayList<>();
    for (Reply.Hosting.Sweep s : hosting.sweeps()) {
      if (s.id().equals(sweep)) {
        s.storageFailure()
            .ifPresent(
                e ->
                    warnings.add(
                        "  WAITS: its journal cannot be written (" + e + "); make room there"));
        s.reportFailure()
            .ifPresent(
                e ->
                    warnings.add(
                        "  its report could not be written completely; the daemon tries again"
                            + " every minute: "
                            + e));
        warnings.add(lastLook(s));
        care = isLate(s) ? Care.NEGLECTED : Care.DRIVEN;
      }
    }
    String broken = hosting.broken().get(sweep);
    if (broken != null) {
      warnings.add("  NOT DRIVEN: " + broken);
    }
    if (!Chat.isOff(hosting.chat())) {
      warnings.add("  " + hosting.chat());
    }
    return new Word(care, warnings);
  }

  private static boolean isLate(Reply.Hosting.Sweep s) {
    return s.sinceGoodTick().compareTo(LATE) > 0;
  }

  private static String age(Duration since) {
    return since.compareTo(LATE) > 0
        ? since.toMinutes() + " min"
        : Math.max(0, since.toSeconds()) + " s";
  }

  private static String lastLook(Reply.Hosting.Sweep s) {
    String age = age(s.sinceGoodTick());
    if (isLate(s)) {
      return s.hasLooked()
          ? "  LATE: the daemon last looked at it without an error %s ago; daemon.log says why"
              .formatted(age)
          : "  LATE: the daemon has driven it for %s and has not looked at it without an error; daemon.log says why"
              .formatted(age);
    }
    return s.hasLooked()
        ? "  looked at %s ago".formatted(age)
        : "  driven for %s, and not looked at yet".formatted(age);
  }
}
