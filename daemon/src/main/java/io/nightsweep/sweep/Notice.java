package io.nightsweep.sweep;

/** What people are notified of. The text is composed at delivery. */
public sealed interface Notice {
  record Kickoff() implements Notice {}

  record WaveReviewed(String wave) implements Notice {}

  record NewBest(String profile) implements Notice {}

  record Midpoint() implements Notice {}

  /** An incident that people should know about although the sweep goes on. */
  record Incident(Occurrence what) implements Notice {}

  /** A question waits for its answer. */
  record Asked(String question) implements Notice {}

  record Stop(HaltCause cause) implements Notice {}

  record Finish() implements Notice {}
}
