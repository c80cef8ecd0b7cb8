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
  /** The key under which a thread's MDC has the file that it reads for a person. */
  static final String FILE = "file";

  /** Created with the first line of the log; most commands never write one. */
  private static final class KnownSecrets {
    static final Redaction SECRETS = Redaction.of(System.getenv());

    private KnownSecrets() {}
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String file = event.getMDCPropertyMap().getOrDefault(FILE, "");
    String line =
        file.isEmpty() || event.getThrowableProxy() != null
            ? new String(super.encode(event), StandardCharsets.UTF_8).stripTrailing()
            : file + ": " + event.getFormattedMessage();
    return (KnownSecrets.SECRETS.shown(line) + System.lineSeparator())
        .getBytes(StandardCharsets.UTF_8);
  }
}
