package io.nightsweep.journal;

import java.io.IOException;

/** A newer Nightsweep wrote the line, and this version does not know its events. */
final class NewerSchemaException extends IOException {
  private static final long serialVersionUID = 1L;

  NewerSchemaException(int found, int known) {
    super(
        "a newer Nightsweep wrote this line (schema %d; this one reads up to schema %d)"
            .formatted(found, known));
  }
}
