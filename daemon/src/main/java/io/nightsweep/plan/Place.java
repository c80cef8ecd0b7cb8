package io.nightsweep.plan;

/** Where something stands in a file; {@code line} and {@code column} count from 1. */
public record Place(String file, int line, int column) {
  public static Place startOf(String file) {
    return new Place(file, 1, 1);
  }

  Place right(int columns) {
    return new Place(file, line, column + columns);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
