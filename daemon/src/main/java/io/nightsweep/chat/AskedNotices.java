package io.nightsweep.chat;

import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Confirming;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies people, once, of each assistant's request that waits for them. */
final class AskedNotices {
  static final Duration LOOK = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(AskedNotices.class);

  private final Confirming confirming;
  private final AskedTalk talk;
  private final BiConsumer<Message, Runnable> announce;
  private final Set<String> announced = new HashSet<>();

  /**
   * @param announce sends a message to all recipients, then runs its second argument
   */
  AskedNotices(Confirming confirming, AskedTalk talk, BiConsumer<Message, Runnable> announce) {
    this.confirming = confirming;
    this.talk = talk;
    this.announce = announce;
  }

  /** Must be called by one thread only. */
  void pass() {
    try {
      for (AssistantRequest call : confirming.untold()) {
        if (announced.add(call.id())) {
          announce.accept(talk.ask(call), () -> told(call));
        }
      }
    } catch (IOException e) {
      log.warn("requests of assistants are not announced: {}", e.getMessage());
    }
  }

  private void told(AssistantRequest call) {
    try {
      confirming.told(call);
    } catch (IOException e) {
      log.warn(
          "could not record that {} was announced; the next daemon announces it again", call.id());
    }
  }
}
