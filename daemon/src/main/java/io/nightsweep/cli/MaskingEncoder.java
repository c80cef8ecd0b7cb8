package io.nightsweep.cli;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.nightsweep.journal.Redaction;
import java.nio.charset.StandardCharsets;

/** Masks secrets in the program's log, which quotes Slurm, ssh and servers. */
final class MaskingEncoder extends PatternLayoutEncoder {
  /** Created with the first line of the log; most commands never write one. */
  private static final class KnownSecrets {
    static final Redaction SECRETS = Redaction.of(System.getenv());

    private KnownSecrets() {}
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String line = new String(super.encode(event), StandardCharsets.UTF_8).stripTrailing();
    return (KnownSecrets.SECRETS.shown(line) + System.lineSeparator())
        .getBytes(StandardCharsets.UTF_8);
  }
}
