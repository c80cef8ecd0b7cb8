package io.nightsweep.chat;

import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.asked.RefusedException;
import java.io.IOException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Chat messages about assistants' requests that wait for a person. */
final class AskedTalk {
  private static final int MOST_LINES = 12;

  private final Confirming confirming;
  private final ZoneId zone;

  AskedTalk(Confirming confirming, ZoneId zone) {
    this.confirming = confirming;
    this.zone = zone;
  }

  /** The request, the files that it reads, and buttons for the two answers. */
  Message ask(AssistantRequest call) {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(
        MessageLine.title("[nightsweep] ")
            .plain("the assistant ")
            .code(call.assistant())
            .plain(" asks for ")
            .code(call.id()));
    lines.add(MessageLine.EMPTY.code(call.line()));
    confirming.files(call).forEach(line -> lines.add(MessageLine.EMPTY.code(line)));
    lines.add(
        MessageLine.of(
            "Answer until %s; nothing is done before. /confirm %s or /deny %s here, or at a terminal: nightsweep confirm %s"
                .formatted(
                    DateTimeFormatter.ofPattern("HH:mm").format(call.until().atZone(zone)),
                    call.id(),
                    call.id(),
                    call.id())));
    return Message.of(lines)
        .with(
            List.of(
                List.of(
                    Press.of(Action.CONFIRM_ASKED, "", call.id()).labelled("Confirm " + call.id()),
                    Press.of(Action.DENY_ASKED, "", call.id()).labelled("Deny " + call.id()))));
  }

  /** All waiting requests, or a line that there are none. */
  List<Message> waiting() {
    try {
      List<Message> all = confirming.waiting().stream().map(this::ask).toList();
      return all.isEmpty() ? List.of(Message.of("No assistant waits for an answer.")) : all;
    } catch (IOException e) {
      return List.of(Message.of("That cannot be read just now: " + e.getMessage()));
    }
  }

  /**
   * Carries out or denies the request; a start may take minutes.
   *
   * @return the result
   */
  Message answered(String id, boolean yes, String who) throws InterruptedException {
    try {
      if (!yes) {
        confirming.deny(id, who);
        return Message.of(id + " is denied.");
      }
      Commands.CommandResult outcome = confirming.confirm(id, who);
      List<MessageLine> lines = new ArrayList<>();
      lines.add(
          MessageLine.of(
              outcome.exit() == 0
                  ? id + " is done."
                  : id + " was not done (exit " + outcome.exit() + ")."));
      List<String> said = (outcome.out() + outcome.err()).lines().toList();
      said.subList(Math.max(0, said.size() - MOST_LINES), said.size())
          .forEach(line -> lines.add(MessageLine.EMPTY.code(line)));
      return Message.of(lines);
    } catch (RefusedException e) {
      return Message.of("Refused: " + e.getMessage());
    } catch (IOException e) {
      return Message.of("It could not be recorded, so nothing was done: " + e.getMessage());
    }
  }
}
