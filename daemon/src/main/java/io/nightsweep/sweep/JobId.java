package io.nightsweep.sweep;

/** The cluster's identifier of a job. */
public record JobId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
