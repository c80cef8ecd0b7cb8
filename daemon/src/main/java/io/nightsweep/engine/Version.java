package io.nightsweep.engine;

import java.security.CodeSource;
import java.util.Objects;

/** Identifies this program. */
public final class Version {
  private Version() {}

  public static String current() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "development");
  }

  /**
   * Where this program was built: it differs between checkouts and between builds of the same one.
   * The launcher puts each build in a separate folder.
   */
  public static String build() {
    CodeSource source = Version.class.getProtectionDomain().getCodeSource();
    return source == null ? current() : source.getLocation().getPath();
  }
}
