package io.nightsweep.chat;

/** The daemon's conversation with people, or the reason why there is none. */
public interface Chat extends AutoCloseable {
  /** The beginning of the description of a chat that is switched off. */
  String OFF = "Telegram: off ";

  /** One line for people: who gets messages, and what is wrong if anything is. */
  String describe();

  /** Whether notices are delivered at all. */
  boolean isOn();

  /**
   * Announces something that belongs to no sweep.
   *
   * @param told called once every recipient has received or refused it; never called if there is no
   *     recipient
   */
  default void announce(String text, Runnable told) {}

  /** Whether an announcement is still being delivered. */
  default boolean isAnnouncing() {
    return false;
  }

  /** Starts to accept commands; call it after all sweeps that people may mean are loaded. */
  default void listen() {}

  @Override
  void close();

  /** Whether a {@link #describe description} says that nobody gets messages, as 'start' reports. */
  static boolean isOff(String description) {
    return description.startsWith(OFF);
  }

  static Chat none(String why) {
    return new Chat() {
      @Override
      public String describe() {
        return OFF + "(" + why + "); status, reports and all commands work without";
      }

      @Override
      public boolean isOn() {
        return false;
      }

      @Override
      public void close() {}
    };
  }
}
