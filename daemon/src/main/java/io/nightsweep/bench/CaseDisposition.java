package io.nightsweep.bench;

import java.util.Locale;

/** How a case ended; each case has exactly one disposition. */
enum CaseDisposition {
  MEASURED,
  FAILED,
  DROPPED,
  UNSUPPORTED;

  /** The word for it in records and tables. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException for any other word
   */
  static CaseDisposition of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
