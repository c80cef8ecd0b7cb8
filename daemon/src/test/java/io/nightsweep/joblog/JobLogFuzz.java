package io.nightsweep.joblog;

import io.nightsweep.fuzz.Scratch;
import io.nightsweep.fuzz.Shipped;
import java.util.Optional;
import java.util.OptionalInt;

/** A log of any bytes is read and judged. */
public final class JobLogFuzz {
  private JobLogFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Scratch.check(
        Shipped.triage()
                .ended(Scratch.file(input), Optional.empty(), OptionalInt.empty(), 15)
                .confidence()
            <= 1,
        input);
    Scratch.check(Shipped.triage().running(Scratch.file(input), 15) != null, input);
  }
}
