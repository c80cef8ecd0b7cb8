package io.nightsweep.fuzz;

import java.util.Arrays;
import java.util.List;

/**
 * All readers in one process, since its start takes longer than a short run of each: the first byte
 * of an input chooses the reader of the rest.
 */
public final class AnyReaderFuzz {
  private static final List<Target> TARGETS = List.of(Target.values());

  private AnyReaderFuzz() {}

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length > 0) {
      target(input).read(rest(input));
    }
  }

  /** The input that selects this target. */
  static byte[] input(Target target, byte[] rest) {
    byte[] input = new byte[1 + rest.length];
    input[0] = (byte) TARGETS.indexOf(target);
    System.arraycopy(rest, 0, input, 1, rest.length);
    return input;
  }

  static Target target(byte[] input) {
    return TARGETS.get(Byte.toUnsignedInt(input[0]) % TARGETS.size());
  }

  static byte[] rest(byte[] input) {
    return Arrays.copyOfRange(input, 1, input.length);
  }
}
