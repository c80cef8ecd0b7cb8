package io.nightsweep.workload.kernels;

import io.nightsweep.fuzz.Scratch;
import java.io.IOException;

/** A result of any bytes is read whole or refused. */
public final class KernelResultFuzz {
  private KernelResultFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    try {
      KernelResult.Case only = KernelResult.read(Scratch.file(input)).cases().getFirst();
      Scratch.check(only.headline().metric("p50Seconds") > 0, only);
    } catch (IOException refused) {
      Scratch.check(refused.getMessage() != null, refused);
    }
  }
}
