package io.nightsweep.chat;

/** Codes for the actions of buttons; short, since a button's data has few bytes. */
final class Action {
  static final String STATUS = "st";
  static final String LEADERBOARD = "lb";
  static final String LOG = "lg";
  static final String EXPLAIN = "ex";
  static final String PAUSE = "pa";

  /** Resumes after a pause, or after the halt in the argument. */
  static final String RESUME = "re";

  static final String RESUME_WITHOUT = "rw";

  /** Ends the sweep during the halt in the argument. */
  static final String STOP_HALTED = "sh";

  /** Stops the sweep; the argument says what happens to running jobs. */
  static final String STOP = "sp";

  static final String SKIP = "sk";
  static final String BUDGET_JOBS = "bj";
  static final String BUDGET_HOURS = "bh";
  static final String APPROVE = "ap";
  static final String DENY = "de";

  /** Confirms an assistant's request, such as a3, named in the argument; no sweep is involved. */
  static final String CONFIRM_ASKED = "ca";

  static final String DENY_ASKED = "da";

  /** Asks the person how to stop the sweep. */
  static final String ASK_STOP = "as";

  static final String NOTHING = "no";

  private Action() {}
}
