package io.nightsweep.cli;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.nightsweep.journal.Redaction;
import java.nio.charset.StandardCharsets;

/**
 * Masks secrets in the program's log, which quotes Slurm, ssh and servers. What concerns a file
 * that a person named is told in the words of a command, without a time.
 */
final class MaskingEncoder extends PatternLayoutEncoder {
  /** The file that a thread reads for a person; empty for none. */
  private static final ThreadLocal<String> FILE = ThreadLocal.withInitial(() -> "");

  /** Until {@link #forFile} with an empty name, what this thread logs concerns this file. */
  static void forFile(String name) {
    FILE.set(name);
  }

  /** Created with the first line of the log; most commands never write one. */
  private static final class KnownSecrets {
    static final Redaction SECRETS = Redaction.of(System.getenv());

    private KnownSecrets() {}
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String file = FILE.get();
    String line =
        file.isEmpty() || event.getThrowableProxy() != null
            ? new String(super.encode(event), StandardCharsets.UTF_8).stripTrailing()
            : file + ": " + event.getFormattedMessage();
    return (KnownSecrets.SECRETS.shown(line) + System.lineSeparator())
        .getBytes(StandardCharsets.UTF_8);
  }
}
