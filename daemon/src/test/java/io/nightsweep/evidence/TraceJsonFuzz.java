package io.nightsweep.evidence;

import io.nightsweep.fuzz.Scratch;

/** A trace of any bytes is read or reported as unreadable. */
public final class TraceJsonFuzz {
  private TraceJsonFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Scratch.check(
        TraceJsonReader.read(Scratch.file(input), HloReading.Names.none()) != null, input);
  }
}
