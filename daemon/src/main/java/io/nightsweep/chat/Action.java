package io.nightsweep.chat;

/** What buttons do; short, since a button's data is. */
final class Action {
  static final String STATUS = "st";
  static final String LEADERBOARD = "lb";
  static final String LOG = "lg";
  static final String EXPLAIN = "ex";
  static final String PAUSE = "pa";

  /** Of a pause, or of the halt that the argument names. */
  static final String RESUME = "re";

  static final String RESUME_WITHOUT = "rw";

  /** The end of the sweep that is halted as the argument says. */
  static final String STOP_HALTED = "sh";

  /** The argument says what becomes of running jobs. */
  static final String STOP = "sp";

  static final String SKIP = "sk";
  static final String BUDGET_JOBS = "bj";
  static final String BUDGET_HOURS = "bh";
  static final String APPROVE = "ap";
  static final String DENY = "de";

  /** The argument is what an assistant asked for, such as a3; no sweep is meant. */
  static final String CONFIRM_ASKED = "ca";

  static final String DENY_ASKED = "da";

  /** Which sweep is meant; the argument is the action that was asked for. */
  static final String ASK_STOP = "as";

  static final String NOTHING = "no";

  private Action() {}
}
