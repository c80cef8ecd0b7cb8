package io.nightsweep.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the stack of a new error, and for repetitions only their number: an error that every tick
 * repeats would fill the disk.
 */
final class RepeatedError {
  private static final Logger log = LoggerFactory.getLogger(RepeatedError.class);

  private final String what;
  private String known = "";
  private long times;

  /**
   * @param what the operation that failed, such as "a look at sweep s"
   */
  RepeatedError(String what) {
    this.what = what;
  }

  void tell(Throwable error) {
    StackTraceElement[] stack = error.getStackTrace();
    String place = error.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
    times = place.equals(known) ? times + 1 : 1;
    known = place;
    if (times == 1) {
      log.error("{} ended by an error of the daemon", what, error);
    } else if (Long.bitCount(times) == 1) {
      log.error("{} ended by the same error {} times: {}", what, times, error.toString());
    }
  }
}
