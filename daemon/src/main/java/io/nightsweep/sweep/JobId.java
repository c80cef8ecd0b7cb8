package io.nightsweep.sweep;

/** A job as its cluster names it. */
public record JobId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
