package io.nightsweep.chat;

import io.nightsweep.asked.Confirming;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The daemon's sweeps as the chat sees them; safe to call from any thread. */
public interface ChatSweeps {
  /** The sweeps in the daemon, by id, including finished ones with undelivered notices. */
  List<SweepState> all();

  /** Whether an observation holds the sweep's lock, so that {@link #record} would have to wait. */
  default boolean isLooking(String sweep) {
    return false;
  }

  /**
   * Passes a command on in the same way as all commands.
   *
   * @return why it was refused; empty where it was journaled and takes effect
   */
  Optional<String> tell(String sweep, Command command, Command.Origin origin)
      throws InterruptedException;

  /**
   * Journals the outcomes of notices.
   *
   * @throws IOException where they could not be journaled: then nothing may be sent
   */
  void record(String sweep, List<Event> events) throws IOException;

  /** The folder with the files of its jobs. */
  Path artifacts(String sweep);

  /** The forecast from its start: a summary line, then a table of the schedule; may be empty. */
  Optional<String> rehearsed(String sweep) throws IOException;

  /** The log of one attempt; the file need not exist. */
  Path log(String sweep, String attempt);

  /** The last {@code most} decisions about a trial, a profile or a wave, or all, oldest first. */
  List<String> explain(String sweep, Optional<String> about, int most) throws IOException;

  /** Assistants' requests and people's answers to them. */
  Confirming confirming();
}
