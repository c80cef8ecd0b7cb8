package io.nightsweep.plan;

/**
 * Where something stands in a file; {@code line} and {@code column} count from 1, and are 0 where
 * the file itself is meant.
 */
public record Place(String file, int line, int column) {
  public static Place startOf(String file) {
    return new Place(file, 1, 1);
  }

  /** What cannot be read has no lines. */
  static Place ofFile(String file) {
    return new Place(file, 0, 0);
  }

  Place right(int columns) {
    return new Place(file, line, column + columns);
  }

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }
}
