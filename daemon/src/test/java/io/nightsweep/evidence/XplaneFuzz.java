package io.nightsweep.evidence;

import io.nightsweep.fuzz.Scratch;

/** A profile of any bytes is read or reported as unreadable. */
public final class XplaneFuzz {
  private XplaneFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Scratch.check(XplaneReader.read(Scratch.file(input), HloReading.Names.none()) != null, input);
  }
}
