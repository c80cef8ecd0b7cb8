package io.nightsweep.engine;

import java.security.CodeSource;
import java.util.Objects;

/** Which program this is. */
public final class Version {
  private Version() {}

  public static String current() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "development");
  }

  /**
   * Where this program was built: another checkout, and another build of the same one, differ. The
   * launcher puts each build in a folder of its own.
   */
  public static String build() {
    CodeSource source = Version.class.getProtectionDomain().getCodeSource();
    return source == null ? current() : source.getLocation().getPath();
  }
}
