package io.nightsweep.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One instruction of HLO text, split into its parts.
 *
 * @param attributes the rest of the line after the operands
 */
record HloInstruction(
    String name, String type, String opcode, List<String> operands, String attributes) {

  static Optional<HloInstruction> parse(String line) {
    int equals = line.indexOf(" = ");
    if (equals < 0) {
      return Optional.empty();
    }
    String left = line.substring(0, equals).strip();
    if (left.startsWith("ROOT ")) {
      left = left.substring(5).strip();
    }
    int typeFrom = equals + 3;
    int typeTo =
        line.startsWith("(", typeFrom) ? closing(line, typeFrom) + 1 : line.indexOf(' ', typeFrom);
    if (typeTo <= 0) {
      return Optional.empty();
    }
    int open = line.indexOf('(', typeTo);
    if (open < 0) {
      return Optional.empty();
    }
    int close = closing(line, open);
    if (close < 0) {
      return Optional.empty();
    }
    return Optional.of(
        new HloInstruction(
            bare(left),
            line.substring(typeFrom, typeTo),
            line.substring(typeTo, open).strip(),
            operands(line.substring(open, close + 1)),
            line.substring(close + 1)));
  }

  /** A computation's name: {@code body=%region.1}. */
  Optional<String> callee(String key) {
    int at = find(key + "=");
    if (at < 0) {
      return Optional.empty();
    }
    int from = at + key.length() + 1;
    int to = from;
    while (to < attributes.length() && ", {}".indexOf(attributes.charAt(to)) < 0) {
      to++;
    }
    String name = bare(attributes.substring(from, to));
    return name.isEmpty() ? Optional.empty() : Optional.of(name);
  }

  /** The text between the braces of {@code key={...}}. */
  Optional<String> braced(String key) {
    int at = find(key + "={");
    if (at < 0) {
      return Optional.empty();
    }
    int open = at + key.length() + 1;
    int close = closing(attributes, open);
    return close < 0 ? Optional.empty() : Optional.of(attributes.substring(open + 1, close));
  }

  /** Names in {@code key={%a, %b}}. */
  List<String> names(String key) {
    return braced(key).stream()
        .flatMap(list -> List.of(list.split(",", -1)).stream())
        .map(HloInstruction::bare)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** Keys and values of {@code frontend_attributes={a="1",b={...}}}. */
  SortedMap<String, String> frontendAttributes() {
    TreeMap<String, String> found = new TreeMap<>();
    String text = braced("frontend_attributes").orElse("");
    int at = 0;
    while (at < text.length()) {
      int equals = text.indexOf('=', at);
      if (equals < 0) {
        break;
      }
      int end = equals + 1;
      while (end < text.length() && text.charAt(end) != ',') {
        end = skip(text, end);
      }
      String value = text.substring(equals + 1, Math.min(end, text.length()));
      found.put(text.substring(at, equals).strip(), unquoted(value));
      at = end + 1;
    }
    return found;
  }

  /** Whether the backend's configuration contains {@code "key":true}. */
  boolean configured(String key) {
    return attributes.contains("\"" + key + "\":true");
  }

  /** A number in the backend's configuration, such as {@code "known_trip_count":{"n":"4"}}. */
  Optional<Long> number(String key) {
    int at = attributes.indexOf("\"" + key + "\":");
    if (at < 0) {
      return Optional.empty();
    }
    int from = at + key.length() + 3;
    while (from < attributes.length() && "{\"n:".indexOf(attributes.charAt(from)) >= 0) {
      from++;
    }
    int to = from;
    while (to < attributes.length() && Character.isDigit(attributes.charAt(to))) {
      to++;
    }
    return to > from && to - from < 18
        ? Optional.of(Long.parseLong(attributes.substring(from, to)))
        : Optional.empty();
  }

  /** Devices in one group, 0 where the text does not say. */
  int groupSize() {
    Optional<String> groups = braced("replica_groups");
    if (groups.isPresent()) {
      List<String> first = HloShapes.elements("(" + groups.get() + ")");
      return first.isEmpty() ? 0 : first.getFirst().split(",", -1).length;
    }
    int at = find("replica_groups=[");
    if (at >= 0) {
      String[] sizes = upToBracket(at + "replica_groups=[".length()).split(",", 2);
      return sizes.length == 2 && sizes[1].matches("\\d{1,9}") ? Integer.parseInt(sizes[1]) : 0;
    }
    return braced("source_target_pairs")
        .map(pairs -> HloShapes.elements("(" + pairs + ")").size())
        .orElse(0);
  }

  /** What it must wait for in addition to its operands. */
  List<String> dependencies() {
    List<String> found = new ArrayList<>(names("control-predecessors"));
    found.addAll(names("dependency_set"));
    int at = attributes.indexOf("\"wait_on_operation_queues\":[");
    if (at >= 0) {
      String queues = upToBracket(at + "\"wait_on_operation_queues\":[".length());
      if (!queues.isBlank()) {
        found.add("queues " + queues.replace("\"", ""));
      }
    }
    return found;
  }

  /** The text up to the closing bracket; empty where there is none. */
  private String upToBracket(int from) {
    int close = attributes.indexOf(']', from);
    return close < 0 ? "" : attributes.substring(from, close);
  }

  static String bare(String name) {
    String text = name.strip();
    return text.startsWith("%") ? text.substring(1) : text;
  }

  /**
   * The start of the attribute. It must follow a comma and a space, so that the end of another name
   * does not match.
   */
  private int find(String key) {
    int at = attributes.indexOf(", " + key);
    return at < 0 ? -1 : at + 2;
  }

  /** The operands' names; older texts write each operand's type before it. */
  private static List<String> operands(String parenthesised) {
    return HloShapes.elements(parenthesised).stream()
        .map(operand -> operand.strip())
        .map(operand -> bare(operand.substring(operand.lastIndexOf(' ') + 1)))
        .filter(operand -> !operand.isEmpty())
        .toList();
  }

  /** The bracket that closes the one at {@code open}, or -1; quoted text is ignored. */
  private static int closing(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '"' -> i = quoteEnd(text, i);
        case '(', '[', '{' -> depth++;
        case ')', ']', '}' -> {
          depth--;
          if (depth == 0) {
            return i;
          }
        }
        default -> {}
      }
    }
    return -1;
  }

  private static int skip(String text, int at) {
    return switch (text.charAt(at)) {
      case '"' -> quoteEnd(text, at) + 1;
      case '{', '[', '(' -> {
        int close = closing(text, at);
        yield close < 0 ? text.length() : close + 1;
      }
      default -> at + 1;
    };
  }

  private static int quoteEnd(String text, int open) {
    for (int i = open + 1; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '"' -> {
          return i;
        }
        default -> {}
      }
    }
    return text.length();
  }

  private static String unquoted(String value) {
    String text = value.strip();
    return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1)
        : text;
  }
}
