package io.nightsweep.chat;

/** The daemon's conversation with people, or the reason why there is none. */
public interface Chat extends AutoCloseable {
  /** How the description of a chat begins that tells nobody. */
  String OFF = "Telegram: off ";

  /** One line for people: who is told, and what stands in the way. */
  String describe();

  /** Whether notices are delivered at all. */
  boolean isOn();

  /**
   * Tells something of no sweep.
   *
   * @param told called once every recipient has it or has refused it; never where nobody is told
   */
  default void announce(String text, Runnable told) {}

  /** Whether something that was announced is still to be told. */
  default boolean isAnnouncing() {
    return false;
  }

  /** Begins to take what people say; not before all sweeps that they may mean are taken up. */
  default void listen() {}

  @Override
  void close();

  /**
   * Whether a {@link #describe description} says that nobody is told, as 'start' has told already.
   */
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
