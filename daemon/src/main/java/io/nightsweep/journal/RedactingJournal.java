package io.nightsweep.journal;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Keeps secrets out of a journal, and so out of everything that is derived from it. */
public record RedactingJournal(Journal journal, Redaction redaction) implements Journal {
  @Override
  public List<Entry> append(Instant at, List<Event> events) throws IOException {
    return journal.append(at, events.stream().map(redaction::of).toList());
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
