package io.nightsweep.chat;

import io.nightsweep.sweep.Notice;

/** How a notice is treated where not everything can be said at once. */
enum Importance {
  /** Waits for its turn and for the end of quiet hours; dropped where its outcome is unknown. */
  ROUTINE,
  /** Sent at once; dropped where its outcome is unknown. */
  NEWS,
  /** Sent at once; sent again, marked as a repeat, where its outcome is unknown. */
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
