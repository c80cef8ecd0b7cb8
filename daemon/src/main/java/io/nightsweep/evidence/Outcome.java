package io.nightsweep.evidence;

import io.nightsweep.sweep.Statement;
import java.nio.file.Path;

/** What came of reading one file. */
public sealed interface Outcome<T> {
  record Whole<T>(T value) implements Outcome<T> {}

  /**
   * @param found what is wrong with the file, with the byte at which it shows
   * @param expected what a whole file would be
   */
  record Unreadable<T>(Path file, Statement found, Statement expected) implements Outcome<T> {}
}
