package io.nightsweep.chat;

/** A text that is hidden except through its accessor. */
public record Secret(String reveal) {
  @Override
  public String toString() {
    return "***";
  }
}
