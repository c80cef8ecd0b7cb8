package io.nightsweep.cli;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.nightsweep.journal.Redaction;
import java.nio.charset.StandardCharsets;

/** Masks what the log says: it quotes Slurm, ssh and servers as they answered. */
final class MaskingEncoder extends PatternLayoutEncoder {
  /** Made when the first line is written; most commands write none. */
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
