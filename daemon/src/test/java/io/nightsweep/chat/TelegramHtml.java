package io.nightsweep.chat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the HTML of a message as the Bot API does (core.telegram.org/bots/api#html-style): only its
 * tags, properly nested and closed, and only its four entities.
 */
final class TelegramHtml {
  private static final Set<String> TAGS =
      Set.of(
          "b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "code", "pre", "blockquote");
  private static final Map<String, String> ENTITIES =
      Map.of("lt", "<", "gt", ">", "amp", "&", "quot", "\"");
  private static final Pattern TAG = Pattern.compile("<(/?)([a-zA-Z]+)>");
  private static final Pattern ENTITY = Pattern.compile("&([a-z]+|#\\d+);");

  private TelegramHtml() {}

  /** The error that the real server reports. */
  static final class CannotParse extends Exception {
    private static final long serialVersionUID = 1L;

    CannotParse(String detail) {
      super("Bad Request: can't parse entities: " + detail);
    }
  }

  /** The text without markup. */
  static String text(String html) throws CannotParse {
    StringBuilder text = new StringBuilder();
    Deque<String> open = new ArrayDeque<>();
    for (int i = 0; i < html.length(); ) {
      char c = html.charAt(i);
      if (c == '<') {
        Matcher tag = TAG.matcher(html).region(i, html.length());
        if (!tag.lookingAt() || !TAGS.contains(tag.group(2))) {
          throw new CannotParse("Unsupported start tag at byte offset " + i);
        }
        if (tag.group(1).isEmpty()) {
          if (open.contains("code") || open.contains("pre")) {
            throw new CannotParse("an entity inside code at byte offset " + i);
          }
          open.push(tag.group(2));
        } else if (open.isEmpty() || !open.pop().equals(tag.group(2))) {
          throw new CannotParse("Unexpected end tag at byte offset " + i);
        }
        i = tag.end();
      } else if (c == '&') {
        Matcher entity = ENTITY.matcher(html).region(i, html.length());
        if (!entity.lookingAt()
            || !(entity.group(1).startsWith("#") || ENTITIES.containsKey(entity.group(1)))) {
          throw new CannotParse("Unknown entity at byte offset " + i);
        }
        text.append(ENTITIES.getOrDefault(entity.group(1), "?"));
        i = entity.end();
      } else if (c == '>') {
        throw new CannotParse("a bare > at byte offset " + i);
      } else {
        text.append(c);
        i++;
      }
    }
    if (!open.isEmpty()) {
      throw new CannotParse(
          "Can't find end tag corresponding to start tag \"" + open.peek() + "\"");
    }
    return text.toString();
  }
}
