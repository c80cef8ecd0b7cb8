package io.nightsweep.journal;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** The durable record of one sweep. When {@link #append} returns, the events are on the disk. */
public interface Journal extends AutoCloseable {
  /**
   * Appends the events with one fsync.
   *
   * @throws IOException if no event counts as recorded; the file's content is then unchanged
   */
  List<Entry> append(Instant at, List<Event> events) throws IOException;

  @Override
  void close() throws IOException;
}
