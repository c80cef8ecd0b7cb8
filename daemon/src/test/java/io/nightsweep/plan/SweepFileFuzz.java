package io.nightsweep.plan;

import io.nightsweep.fuzz.Scratch;
import java.nio.file.Path;

/** A sweep file of any bytes is read or refused with a place. */
public final class SweepFileFuzz {
  private SweepFileFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    try {
      SweepFile.parse(
          "sweep.yaml", Scratch.text(input), Resources.beside(Path.of("nowhere/sweep.yaml")));
    } catch (InvalidInputException refused) {
      Scratch.check(!String.valueOf(refused.getMessage()).isBlank(), refused);
    }
  }
}
