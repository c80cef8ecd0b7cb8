package io.nightsweep.chat;

import java.util.List;

/** Somebody who is told: a chat of the bot, or a service behind a webhook. */
interface Recipient {
  /** By which journals know this recipient; the same in the next life, and no address. */
  String name();

  /** The message as it is sent here, with secrets masked; one call for each part. */
  List<Message.Part> parts(Message message);

  CallOutcome send(Message.Part part);

  /** Whether it is worth a try; says nothing to anybody. */
  boolean isReachable();

  /** A chat of the bot. */
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
