package io.nightsweep.engine;

import java.util.Objects;

/** The version that was packed. */
public final class Version {
  private Version() {}

  public static String current() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "development");
  }
}
