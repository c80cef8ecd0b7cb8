package io.nightsweep.chat;

/** A text that shows itself only where it is asked to by name. */
public record Secret(String reveal) {
  @Override
  public String toString() {
    return "***";
  }
}
