package io.nightsweep.journal;

import java.io.IOException;
import java.nio.file.Path;

/** The journal is damaged where nothing may be cut away; the file was left as it is. */
public final class JournalCorruptException extends IOException {
  private static final long serialVersionUID = 1L;

  JournalCorruptException(Path file, long line, long offset, String found) {
    super(
        "%s:%d (byte %d): %s. Nothing was changed. Restore the journal from a copy; or keep the %d events before this line with 'head -n %d', at the price of all later ones."
            .formatted(file, line, offset, found, line - 1, line - 1));
  }
}
