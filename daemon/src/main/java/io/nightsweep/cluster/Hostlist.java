package io.nightsweep.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Slurm's notation for many node names: {@code n[1-3,5],gpu-[08-11]-[0-1]}. A range keeps the width
 * of its first bound; names stay in the order written.
 *
 * @see <a href="https://slurm.schedmd.com/scontrol.html">scontrol show hostnames</a>
 */
public final class Hostlist {
  /** Slurm's own MAX_RANGE is 64k. */
  static final int MAX_HOSTS = 65_536;

  private Hostlist() {}

  /** An invalid expression; {@code index} is the position of the first wrong character, from 0. */
  public static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int index;

    SyntaxException(int index, String message) {
      super(message);
      this.index = index;
    }

    public int index() {
      return index;
    }
  }

  /** The names in order, with repetitions as written. */
  public static List<String> parse(String expression) throws SyntaxException {
    return new Parser(expression).hosts();
  }

  /** The usual short form: neighbours that differ only in a final number become ranges. */
  public static String format(List<String> hosts) {
    List<String> parts = new ArrayList<>();
    int i = 0;
    while (i < hosts.size()) {
      Name first = Name.of(hosts.get(i));
      int end = i + 1;
      while (end < hosts.size() && first.groupsWith(Name.of(hosts.get(end)))) {
        end++;
      }
      parts.add(group(hosts.subList(i, end).stream().map(Name::of).toList()));
      i = end;
    }
    return String.join(",", parts);
  }

  private static String group(List<Name> names) {
    Name first = names.getFirst();
    if (names.size() == 1) {
      return first.prefix + first.digits;
    }
    List<String> ranges = new ArrayList<>();
    int i = 0;
    while (i < names.size()) {
      String low = names.get(i).digits;
      int end = i + 1;
      while (end < names.size() && names.get(end).digits.equals(inRange(low, end - i))) {
        end++;
      }
      ranges.add(end == i + 1 ? low : low + "-" + names.get(end - 1).digits);
      i = end;
    }
    return first.prefix + "[" + String.join(",", ranges) + "]";
  }

  /** The digits {@code offset} after a range's first ones, with the same width. */
  private static String inRange(String low, long offset) {
    String digits = Long.toString(Long.parseLong(low) + offset);
    return "0".repeat(Math.max(0, low.length() - digits.length())) + digits;
  }

  /** A name split before its final digits; at most 9 digits count as a number. */
  private record Name(String prefix, String digits) {
    static Name of(String host) {
      int cut = host.length();
      while (cut > 0 && isDigit(host.charAt(cut - 1)) && host.length() - cut < 9) {
        cut--;
      }
      return new Name(host.substring(0, cut), host.substring(cut));
    }

    boolean groupsWith(Name other) {
      return !digits.isEmpty() && !other.digits.isEmpty() && prefix.equals(other.prefix);
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    List<String> hosts() throws SyntaxException {
      List<String> hosts = new ArrayList<>();
      if (text.isBlank()) {
        throw new SyntaxException(0, "the nodelist is empty");
      }
      do {
        hosts.addAll(name());
        if (hosts.size() > MAX_HOSTS) {
          throw tooMany(0);
        }
      } while (take(','));
      return List.copyOf(hosts);
    }

    private List<String> name() throws SyntaxException {
      int start = at;
      List<String> names = List.of("");
      while (at < text.length() && text.charAt(at) != ',') {
        List<String> pieces = text.charAt(at) == '[' ? bracket() : List.of(plain());
        if ((long) names.size() * pieces.size() > MAX_HOSTS) {
          throw tooMany(start);
        }
        names =
            names.stream()
                .flatMap(n -> pieces.stream().map(p -> n + p))
                .collect(Collectors.toCollection(ArrayList::new));
      }
      if (at == start) {
        throw new SyntaxException(at, "a node name is missing");
      }
      return names;
    }

    private String plain() throws SyntaxException {
      int start = at;
      while (at < text.length() && ",[".indexOf(text.charAt(at)) < 0) {
        char c = text.charAt(at);
        if (c == ']') {
          throw new SyntaxException(at, "']' without '['");
        }
        if (!(isDigit(c)
            || (c >= 'a' && c <= 'z')
            || (c >= 'A' && c <= 'Z')
            || "-_.".indexOf(c) >= 0)) {
          throw new SyntaxException(at, "'" + c + "' cannot be in a node name");
        }
        at++;
      }
      return text.substring(start, at);
    }

    private List<String> bracket() throws SyntaxException {
      int opened = at++;
      List<String> pieces = new ArrayList<>();
      do {
        range(pieces, opened);
      } while (take(','));
      if (!take(']')) {
        throw new SyntaxException(
            at < text.length() ? at : opened,
            at < text.length() ? "expected ',', '-' or ']'" : "'[' is never closed");
      }
      return pieces;
    }

    private void range(List<String> pieces, int opened) throws SyntaxException {
      int start = at;
      String low = digits(opened);
      if (!take('-')) {
        pieces.add(low);
        return;
      }
      String high = digits(opened);
      long from = Long.parseLong(low);
      long to = Long.parseLong(high);
      if (to < from) {
        throw new SyntaxException(start, "the range " + low + "-" + high + " runs backwards");
      }
      if (to - from >= MAX_HOSTS) {
        throw tooMany(start);
      }
      for (long n = 0; n <= to - from; n++) {
        pieces.add(inRange(low, n));
      }
    }

    private String digits(int opened) throws SyntaxException {
      int start = at;
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
      }
      if (at == start) {
        throw new SyntaxException(
            at < text.length() ? at : opened,
            at < text.length() ? "expected a number" : "'[' is never closed");
      }
      if (at - start > 9) {
        throw new SyntaxException(start, "a number of more than 9 digits");
      }
      return text.substring(start, at);
    }

    private boolean take(char c) {
      if (at < text.length() && text.charAt(at) == c) {
        at++;
        return true;
      }
      return false;
    }

    private static SyntaxException tooMany(int index) {
      return new SyntaxException(index, "more than " + MAX_HOSTS + " nodes");
    }
  }
}
