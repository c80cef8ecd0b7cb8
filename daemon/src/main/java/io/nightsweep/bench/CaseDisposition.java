package io.nightsweep.bench;

import java.util.Locale;

/** The end of a case; each has exactly one. */
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
