package io.nightsweep.chat;

import io.nightsweep.sweep.Notice;

/** The priority of a notice when not everything can be sent at once. */
enum Importance {
  /**
   * Waits for its turn and for the end of quiet hours; dropped if it is unknown whether it was
   * sent.
   */
  ROUTINE,
  /** Sent at once; dropped if it is unknown whether it was sent. */
  NEWS,
  /** Sent at once; if it is unknown whether it was sent, sent again and marked as a repeat. */
  DEMAND;

  static Importance of(Notice notice) {
    return switch (notice) {
      case Notice.Kickoff n -> ROUTINE;
      case Notice.WaveReviewed n -> ROUTINE;
      case Notice.Midpoint n -> ROUTINE;
      case Notice.Incident n -> ROUTINE;
      case Notice.NewBest n -> NEWS;
      case Notice.Asked n -> DEMAND;
      case Notice.Stop n -> DEMAND;
      case Notice.Finish n -> DEMAND;
    };
  }
}
