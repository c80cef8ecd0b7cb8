package io.nightsweep.sweep;

/** What an ended attempt counts as. */
public sealed interface Judgement {
  /** It measured what was scheduled. */
  record Measured(Measurement measurement) implements Judgement {}

  /** It ran for another purpose than measuring, and did what it was for. */
  record Done(Statement detail) implements Judgement {}

  record Failed(Diagnosis diagnosis) implements Judgement {}

  /** It ran, but not what was scheduled: its figures never enter the leaderboard. */
  record Voided(Statement reason) implements Judgement {}

  /** A second job for an intent that another job had claimed. */
  record Duplicate() implements Judgement {}
}
