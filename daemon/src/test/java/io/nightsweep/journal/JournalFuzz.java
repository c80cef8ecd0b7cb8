package io.nightsweep.journal;

import io.nightsweep.fuzz.Scratch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** A journal of any lines is read, or refused with the line; correct checksums change nothing. */
public final class JournalFuzz {
  private JournalFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Path file = Scratch.file(input);
    read(file);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    int seq = 0;
    for (String event : Scratch.text(input).lines().toList()) {
      seq++;
      byte[] line =
          "{\"v\":%d,\"seq\":%d,\"at\":\"2026-01-01T22:00:00Z\",\"event\":%s"
              .formatted(1 + seq % LineCodec.CURRENT.version(), seq, event)
              .getBytes(StandardCharsets.UTF_8);
      CRC32C crc = new CRC32C();
      crc.update(line);
      whole.write(line);
      whole.write(
          ",\"crc\":\"%08x\"}\n".formatted(crc.getValue()).getBytes(StandardCharsets.UTF_8));
    }
    Files.write(file, whole.toByteArray());
    read(file);
  }

  private static void read(Path file) {
    try {
      JournalReader.Tail tail = JournalReader.read(file, entry -> {});
      Scratch.check(tail.events() >= 0, tail);
    } catch (IOException refused) {
      Scratch.check(refused.getMessage() != null, refused);
    }
  }
}
