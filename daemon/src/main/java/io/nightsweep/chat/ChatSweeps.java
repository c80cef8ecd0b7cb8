package io.nightsweep.chat;

import io.nightsweep.asked.Confirming;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The daemon's sweeps, as the chat needs them; safe to call from any thread. */
public interface ChatSweeps {
  /** Those that are driven, finished ones with notices to deliver among them, by id. */
  List<SweepState> all();

  /** Whether a look holds the sweep, so that {@link #record} would wait for its end. */
  default boolean isLooking(String sweep) {
    return false;
  }

  /**
   * Hands a command in by the door that all commands take.
   *
   * @return why it was refused; empty where it was journaled and acts
   */
  Optional<String> tell(String sweep, Command command, Command.Origin origin)
      throws InterruptedException;

  /**
   * Journals what became of notices.
   *
   * @throws IOException where it could not be journaled: then nothing may be sent
   */
  void record(String sweep, List<Event> events) throws IOException;

  /** Where the files of its jobs are. */
  Path artifacts(String sweep);

  /** What was foretold when it started: a line, then a pacing table; empty where nothing was. */
  Optional<String> rehearsed(String sweep) throws IOException;

  /** The log of one attempt; the file need not exist. */
  Path log(String sweep, String attempt);

  /** The last {@code most} decisions about a trial, a profile or a wave, or all, oldest first. */
  List<String> explain(String sweep, Optional<String> about, int most) throws IOException;

  /** What assistants asked for, and people's answers to it. */
  Confirming confirming();
}
