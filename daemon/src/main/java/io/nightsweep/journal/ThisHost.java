package io.nightsweep.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Identifies this machine and its processes. */
final class ThisHost {
  private static final int STATE_FIELD = 0;
  private static final int START_TICKS_FIELD = 19;

  private ThisHost() {}

  static String name() {
    return firstLine("/proc/sys/kernel/hostname").orElse("localhost");
  }

  /**
   * The boot and the clock tick at which a live process was started (proc(5), {@code stat} fields 3
   * and 22); empty if there is no such process, or only the remains of a dead one.
   */
  static Optional<String> process(long pid) {
    return stat(pid)
        .filter(fields -> fields.size() > START_TICKS_FIELD && !isDead(fields.get(STATE_FIELD)))
        .map(
            fields ->
                firstLine("/proc/sys/kernel/random/boot_id").orElse("")
                    + "/"
                    + fields.get(START_TICKS_FIELD));
  }

  /** Whether a signal or a debugger has stopped the process (proc(5), {@code stat} field 3). */
  static boolean isStopped(long pid) {
    return stat(pid).filter(f -> f.get(STATE_FIELD).equalsIgnoreCase("T")).isPresent();
  }

  /** The fields after the command's name, which may contain any character. */
  private static Optional<List<String>> stat(long pid) {
    return firstLine("/proc/" + pid + "/stat")
        .map(stat -> List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ")));
  }

  private static boolean isDead(String state) {
    return state.equals("Z") || state.equals("X");
  }

  private static Optional<String> firstLine(String file) {
    try {
      return Files.readString(Path.of(file)).lines().findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
