package io.nightsweep.evidence;

import io.nightsweep.fuzz.Scratch;
import java.nio.file.Path;

/** A compiler's dump of any bytes is read or reported as unreadable. */
public final class HloFuzz {
  private HloFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Path file = Scratch.file(input);
    Scratch.check(HloReader.read(file, 2) != null && HloProgram.of(file) != null, input);
  }
}
