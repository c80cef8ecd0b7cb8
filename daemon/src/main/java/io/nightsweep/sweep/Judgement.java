package io.nightsweep.sweep;

/** How an ended attempt counts. */
public sealed interface Judgement {
  /** It measured what was scheduled. */
  record Measured(Measurement measurement) implements Judgement {}

  /** It ran for a purpose other than measuring, and did what it should. */
  record Done(Statement detail) implements Judgement {}

  record Failed(Diagnosis diagnosis) implements Judgement {}

  /** It did not run what was scheduled: its figures never enter the leaderboard. */
  record Voided(Statement reason) implements Judgement {}

  /** A second job for an intent that another job had claimed. */
  record Duplicate() implements Judgement {}
}
