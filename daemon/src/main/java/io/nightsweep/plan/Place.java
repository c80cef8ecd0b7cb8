package io.nightsweep.plan;

/**
 * A place in a file. {@code line} and {@code column} count from 1; both are 0 for the file as a
 * whole.
 */
public record Place(String file, int line, int column) {
  public static Place startOf(String file) {
    return new Place(file, 1, 1);
  }

  /** The file as a whole, such as one that cannot be read. */
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
