package io.nightsweep.evidence;

import java.nio.file.Path;

/** What came of reading one file. */
public sealed interface Outcome<T> {
  record Whole<T>(T value) implements Outcome<T> {}

  /**
   * @param found what is wrong with the file, with the byte at which it shows
   * @param expected what a whole file would be
   */
  record Unreadable<T>(Path file, String found, String expected) implements Outcome<T> {
    public String message() {
      return file + ": " + found + "; expected " + expected;
    }
  }
}
