package io.nightsweep.engine;

import java.util.regex.Pattern;

/**
 * Distinguishes a node that Slurm itself has drained from one that people or their programs have.
 */
final class DrainReason {
  /**
   * What slurmctld and slurmd write (sinfo(1), "REASON"; slurm.conf(5), ReturnToService), and what
   * our remedies write. Any other reason comes from a person or a site's health check.
   */
  private static final Pattern SLURMS_OWN =
      Pattern.compile(
          "(?i)\\s*(?:(?:none|unknown|nightsweep|not responding|kill task failed"
              + "|(?:prolog|epilog) error|batch job complete failure|node unexpectedly rebooted"
              + "|duplicate jobid)(?:\\s*\\[[^\\]]*])?)?\\s*");

  private DrainReason() {}

  /** Whether a remedy may return the node to service. */
  static boolean isSlurmsOwn(String reason) {
    return SLURMS_OWN.matcher(reason).matches();
  }
}
