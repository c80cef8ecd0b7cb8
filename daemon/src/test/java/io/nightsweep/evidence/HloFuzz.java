package io.nightsweep.evidence;

import io.nightsweep.fuzz.Scratch;

/** A compiler's dump, of any bytes, is read or is said to be unreadable. */
public final class HloFuzz {
  private HloFuzz() {}

  /** Called by the fuzzer, and with each sample that is kept. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Scratch.check(HloReader.read(Scratch.file(input), 2) != null, input);
  }
}
