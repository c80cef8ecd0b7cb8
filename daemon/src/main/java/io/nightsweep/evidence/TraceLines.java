package io.nightsweep.evidence;

import java.util.Set;

/**
 * Which lines of a trace contain the devices' activity; the others repeat it or belong to the host.
 */
final class TraceLines {
  static final String HLO_OP = "hlo_op";
  static final String DEVICE_ORDINAL = "device_ordinal";

  private static final Set<String> DERIVED =
      Set.of(
          "Steps",
          "XLA Modules",
          "XLA TraceMe",
          "Framework Name Scope",
          "Framework Ops",
          "TensorFlow Name Scope",
          "TensorFlow Ops",
          "Source code",
          "Launch Stats");

  private TraceLines() {}

  /**
   * @param streams whether the plane has lines named as streams: then only these count
   */
  static boolean counts(String plane, String line, boolean streams) {
    if (isHost(plane)) {
      return true;
    }
    return plane.startsWith("/device:")
        && (streams ? XplaneNames.isStream(line) : !DERIVED.contains(line));
  }

  /**
   * Whether it is a host's plane, in which only events of HLO instructions count: those of the CPU
   * as a device.
   */
  static boolean isHost(String plane) {
    return plane.startsWith("/host:");
  }

  static String device(String plane, String ordinal) {
    return isHost(plane) && !ordinal.isEmpty() ? plane + ":" + ordinal : plane;
  }
}
