package io.nightsweep.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to systemd that the daemon is alive, if its unit requests it (sd_notify(3)). */
final class SystemdWatchdog {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Logger log = LoggerFactory.getLogger(SystemdWatchdog.class);

  private final String program;
  private final boolean isAsked;
  private final long everyNanos;
  private long lastNanos = System.nanoTime();
  private boolean isFirst = true;

  /**
   * @param environment from systemd; says where to report, and how often in microseconds
   */
  SystemdWatchdog(Map<String, String> environment) {
    this(environment, "systemd-notify");
  }

  SystemdWatchdog(Map<String, String> environment, String program) {
    this.program = program;
    String micros = environment.getOrDefault("WATCHDOG_USEC", "");
    isAsked = environment.containsKey("NOTIFY_SOCKET") && micros.matches("[1-9]\\d{0,15}");
    // A third of the limit, so that a late message does not matter.
    everyNanos = isAsked ? TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros)) / 3 : 0;
  }

  /** The time between two messages; zero where systemd requests none. */
  Duration every() {
    return Duration.ofNanos(everyNanos);
  }

  /** Called repeatedly while all is well; sends a message when one is due. */
  void alive() throws InterruptedException {
    if (!isAsked || (!isFirst && System.nanoTime() - lastNanos < everyNanos)) {
      return;
    }
    isFirst = false;
    lastNanos = System.nanoTime();
    try {
      Process told = new ProcessBuilder(program, "WATCHDOG=1").inheritIO().start();
      if (!told.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        told.destroyForcibly();
      }
    } catch (IOException e) {
      log.warn("systemd could not be told that the daemon is alive: {}", e.getMessage());
    }
  }
}
