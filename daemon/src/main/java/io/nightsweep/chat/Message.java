package io.nightsweep.chat;

import io.nightsweep.journal.Redaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A message.
 *
 * @param buttons in rows, below the last page of the text
 */
record Message(
    List<MessageLine> lines,
    List<List<Button>> buttons,
    List<Picture> pictures,
    Optional<Attachment> document) {

  /**
   * @param data sent back when the button is pressed; at most 64 bytes
   */
  record Button(String label, String data) {}

  record Picture(String title, ByteBuffer png) {}

  record Attachment(String name, String title, ByteBuffer bytes) {}

  /** The content of one call of the Bot API. */
  sealed interface Part {
    record Text(List<MessageLine> lines, List<List<Button>> buttons) implements Part {}

    record Photo(List<MessageLine> caption, ByteBuffer png) implements Part {}

    record File(List<MessageLine> caption, String name, ByteBuffer bytes) implements Part {}
  }

  Message {
    lines = List.copyOf(lines);
    buttons = buttons.stream().map(List::copyOf).toList();
    pictures = List.copyOf(pictures);
  }

  static Message of(List<MessageLine> lines) {
    return new Message(lines, List.of(), List.of(), Optional.empty());
  }

  static Message of(String text) {
    return of(List.of(MessageLine.of(text)));
  }

  Message with(List<List<Button>> newButtons) {
    return new Message(lines, newButtons, pictures, document);
  }

  Message under(MessageLine heading) {
    List<MessageLine> more = new ArrayList<>();
    more.add(heading);
    more.addAll(lines);
    return new Message(more, buttons, pictures, document);
  }

  Message followedBy(List<MessageLine> more) {
    List<MessageLine> all = new ArrayList<>(lines);
    all.addAll(more);
    return new Message(all, buttons, pictures, document);
  }

  /**
   * The parts to send, one after the other. Secrets are masked before the text is split into pages,
   * since a split secret would not be recognised.
   */
  List<Part> parts(Redaction redaction) {
    List<Part> parts = new ArrayList<>();
    List<MessageLine> masked = lines.stream().map(line -> line.masked(redaction)).toList();
    List<List<MessageLine>> pages = Pages.of(masked, Pages.MESSAGE);
    for (int i = 0; i < pages.size(); i++) {
      parts.add(new Part.Text(pages.get(i), i == pages.size() - 1 ? buttons : List.of()));
    }
    pictures.forEach(p -> parts.add(new Part.Photo(caption(p.title(), redaction), p.png())));
    document.ifPresent(
        d -> parts.add(new Part.File(caption(d.title(), redaction), d.name(), d.bytes())));
    return parts;
  }

  private static List<MessageLine> caption(String title, Redaction redaction) {
    return List.of(MessageLine.of(title).masked(redaction).cut(Pages.CAPTION).getFirst());
  }
}
