package io.nightsweep.journal;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The journal cannot be read further, and nothing may be removed; the file was not changed. */
public final class JournalCorruptException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final String NEWER =
      "Nothing was changed, and nothing is damaged. Run this sweep with the newer program.";

  JournalCorruptException(Path file, long line, long offset, String found) {
    super(
        place(file, line, offset, found)
            + "Nothing was changed. Restore the journal from a copy; where there is none, move it"
            + " aside and start the sweep again. The "
            + (line - 1)
            + " events before this line are whole.");
  }

  JournalCorruptException(Path file, long line, long offset, NewerSchemaException newer) {
    super(place(file, line, offset, newer.getMessage()) + NEWER, newer);
  }

  private static String place(Path file, long line, long offset, @Nullable String found) {
    return "%s:%d (byte %d): %s. ".formatted(file, line, offset, found);
  }
}
