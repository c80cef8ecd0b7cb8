package io.nightsweep.fuzz;

import java.util.Arrays;

/**
 * All readers in one process, since its start takes longer than a short run of each: the first byte
 * of an input says which one reads the rest.
 */
public final class AnyReaderFuzz {
  private AnyReaderFuzz() {}

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length > 0) {
      target(input).read(rest(input));
    }
  }

  /** What gives the target this input. */
  static byte[] input(Target target, byte[] rest) {
    byte[] input = new byte[1 + rest.length];
    input[0] = (byte) target.ordinal();
    System.arraycopy(rest, 0, input, 1, rest.length);
    return input;
  }

  static Target target(byte[] input) {
    Target[] all = Target.values();
    return all[Byte.toUnsignedInt(input[0]) % all.length];
  }

  static byte[] rest(byte[] input) {
    return Arrays.copyOfRange(input, 1, input.length);
  }
}
