package io.nightsweep.chat;

import java.util.List;

/** A recipient of messages: a chat of the bot, or a service behind a webhook. */
interface Recipient {
  /**
   * The recipient's name in journals. It stays the same across restarts and does not contain an
   * address.
   */
  String name();

  /** The message in the recipient's form, with secrets masked; one call for each part. */
  List<Message.Part> parts(Message message);

  CallOutcome send(Message.Part part);

  /** Whether sending is worth a try; sends no message. */
  boolean isReachable();

  record OfBot(Bot bot, long chat) implements Recipient {
    @Override
    public String name() {
      return "telegram-" + Integer.toHexString(Long.hashCode(chat));
    }

    @Override
    public List<Message.Part> parts(Message message) {
      return bot.parts(message);
    }

    @Override
    public CallOutcome send(Message.Part part) {
      return bot.send(chat, part);
    }

    @Override
    public boolean isReachable() {
      return bot.isReachable();
    }
  }
}
