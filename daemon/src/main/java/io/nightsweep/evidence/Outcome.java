package io.nightsweep.evidence;

import io.nightsweep.sweep.Statement;
import java.nio.file.Path;

/** The result of reading one file. */
public sealed interface Outcome<T> {
  record Whole<T>(T value) implements Outcome<T> {}

  /**
   * @param found what is wrong with the file, with the position in bytes
   * @param expected what an intact file would have
   */
  record Unreadable<T>(Path file, Statement found, Statement expected) implements Outcome<T> {}
}
