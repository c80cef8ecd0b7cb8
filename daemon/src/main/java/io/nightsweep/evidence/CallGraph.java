package io.nightsweep.evidence;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which computation is called from which, and how often. In the text, callees come before their
 * callers.
 */
final class CallGraph {
  /** A limit: HLO has no recursion, but a damaged text may. */
  private static final int DEEPEST = 100;

  private final Map<String, CallSite> callers = new HashMap<>();
  private final Set<String> asyncBodies = new HashSet<>();

  /**
   * @param runs of the callee in one run of the caller; empty where unknown
   */
  private record CallSite(String computation, boolean loop, OptionalLong runs) {}

  /**
   * @param runs in one run of the module; empty where a loop's length is unknown
   */
  record CallReach(boolean inLoop, OptionalLong runs) {}

  void entry(String computation) {
    callers.remove(computation);
  }

  void call(String from, String to) {
    callers.put(to, new CallSite(from, false, OptionalLong.of(1)));
  }

  void loop(String from, String body, OptionalLong trips) {
    callers.put(body, new CallSite(from, true, trips));
  }

  /** Marks a computation that only wraps a collective; start and done are elsewhere. */
  void asyncBody(String computation) {
    asyncBodies.add(computation);
  }

  boolean isAsyncBody(String computation) {
    return asyncBodies.contains(computation);
  }

  CallReach reach(String computation) {
    boolean inLoop = false;
    long runs = 1;
    boolean known = true;
    CallSite caller = callers.get(computation);
    for (int depth = 0; caller != null && depth < DEEPEST; depth++) {
      inLoop |= caller.loop();
      known &= caller.runs().isPresent();
      runs *= caller.runs().orElse(1);
      caller = callers.get(caller.computation());
    }
    return new CallReach(inLoop, known ? OptionalLong.of(runs) : OptionalLong.empty());
  }
}
