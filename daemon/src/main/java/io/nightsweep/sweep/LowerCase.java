package io.nightsweep.sweep;

import java.util.Locale;

/** The name of a constant as texts, files and catalogues write it, such as {@code node_gate}. */
public final class LowerCase {
  private LowerCase() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
