package io.nightsweep.journal;

import java.io.IOException;

/** Another live process owns the sweep or the state directory. */
public final class OwnedElsewhereException extends IOException {
  private static final long serialVersionUID = 1L;

  OwnedElsewhereException(String message) {
    super(message);
  }
}
