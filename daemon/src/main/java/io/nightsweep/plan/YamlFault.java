package io.nightsweep.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.nightsweep.files.Masking;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Explains why a text is not YAML, in terms of keys, columns and quotes. The parser's own message
 * is about its states and is shown only if no usual mistake fits.
 */
final class YamlFault {
  /** Prefix of the parser's message where a key is a list or a mapping. */
  private static final String NO_SCALAR_KEY = "Expected a field name (Scalar value in YAML)";

  /** The position in the parser's message; the enclosing element comes first. */
  private static final Pattern MARK = Pattern.compile(" in .*line (\\d+), column (\\d+):?");

  private static final Pattern ESCAPE =
      Pattern.compile("found unknown escape character (\\S+)\\(.*");
  private static final Pattern CHARACTER =
      Pattern.compile("found character '(.*?)' that cannot start any token.*");
  private static final Pattern FLOW = Pattern.compile("expected ',' or '([]}])', but got .*");

  private static final Pattern KEY =
      Pattern.compile("(\"[^\"]*\"|'[^']*'|[^\\s#:{\\[][^:]*)\\s*:(?:\\s+(.*))?");
  private static final Pattern BLOCK_TEXT = Pattern.compile(".*[|>][-+\\d]*(\\s+#.*)?");
  private static final int LONGEST_LABEL = 40;

  private final String file;
  private final List<String> lines;
  private final List<String> told = new ArrayList<>();
  private final List<Place> marks = new ArrayList<>();

  private YamlFault(String file, List<String> lines, JsonProcessingException e) {
    this.file = file;
    this.lines = lines;
    // Lines that the message quotes from the file are indented further.
    for (String line : e.getOriginalMessage().lines().toList()) {
      Matcher mark = MARK.matcher(line);
      if (mark.matches()) {
        marks.add(
            new Place(file, Integer.parseInt(mark.group(1)), Integer.parseInt(mark.group(2))));
      } else if (!line.isBlank() && !line.startsWith(" ")) {
        told.add(line);
      }
    }
    if (marks.isEmpty()) {
      marks.add(
          Optional.ofNullable(e.getLocation())
              .map(l -> new Place(file, Math.max(1, l.getLineNr()), Math.max(1, l.getColumnNr())))
              .orElse(Place.startOf(file)));
    }
  }

  static Problem problem(String file, List<String> lines, JsonProcessingException e) {
    YamlFault fault = new YamlFault(file, lines, e);
    return fault
        .usual()
        .orElseGet(
            () ->
                Problem.of(
                    fault.marks.getLast(), "not YAML: " + String.join(": ", fault.told), ""));
  }

  private Optional<Problem> usual() {
    if (told.isEmpty()) {
      return Optional.empty();
    }
    String words = told.getLast();
    Place at = marks.getLast();
    Matcher escape = ESCAPE.matcher(words);
    Matcher character = CHARACTER.matcher(words);
    Matcher flow = FLOW.matcher(words);
    if (told.getFirst().startsWith(NO_SCALAR_KEY)) {
      return problem(at, "a key that is not a text", "expected 'key: value'");
    }
    if (words.startsWith("mapping values are not allowed here")) {
      return secondColon(at).or(() -> indentation(at));
    }
    if (words.startsWith("expected <block end>")
        || words.startsWith("sequence entries are not allowed here")) {
      return indentation(at);
    }
    if (words.startsWith("could not find expected ':'")) {
      return withoutColon(marks.getFirst());
    }
    if (told.getFirst().startsWith("while scanning a quoted scalar")
        && words.startsWith("found unexpected end of stream")) {
      return problem(
          marks.getFirst(),
          "a quote that nothing closes",
          "expected the closing quote at the end of the text");
    }
    if (escape.matches()) {
      return problem(
          at,
          "'\\%s' between double quotes".formatted(escape.group(1)),
          "expected single quotes, in which a backslash is an ordinary character, or '\\\\%s'"
              .formatted(escape.group(1)));
    }
    if (character.matches()) {
      return character.group(1).contains("TAB")
          ? problem(at, "a tab before a key or a value", "expected spaces")
          : problem(
              at,
              "a value that begins with '%s'".formatted(character.group(1)),
              "expected quotes around it");
    }
    return flow.matches() ? unclosed(at, flow.group(1)) : Optional.empty();
  }

  private static Optional<Problem> problem(Place place, String found, String expected) {
    return Optional.of(Problem.of(place, found, expected));
  }

  /** A bracket that is still open before something that cannot be inside it. */
  private Optional<Problem> unclosed(Place at, String closing) {
    Place open = marks.getFirst();
    String bracket = closing.equals("}") ? "{" : "[";
    String line = line(at);
    // Reports the key before a colon as the part that cannot be there.
    int from = at.line() > open.line() ? indent(line) : Math.min(at.column() - 1, line.length());
    String rest = line.substring(from);
    return rest.isBlank()
        ? problem(
            open, "a '%s' that nothing closes".formatted(bracket), "expected '" + closing + "'")
        : problem(
            new Place(file, at.line(), from + 1),
            "`%s` stands within the '%s' of line %d, column %d"
                .formatted(label(rest), bracket, open.line(), open.column()),
            "expected ',' before it, or '" + closing + "'");
  }

  /**
   * A line outside block texts, or the part of such a line after its dash.
   *
   * @param indent of its first character
   * @param label its key, or, without a key, its dash or first word
   * @param hasValue whether a value follows the key
   */
  private record KeyLine(int line, int indent, String label, boolean isKey, boolean hasValue) {
    String named() {
      return "`" + label + "`";
    }

    /** Whether a line with this indent and without a key continues the value. */
    boolean isGoneOnWith(int further) {
      return hasValue && further > indent;
    }

    Place place(String file) {
      return new Place(file, line, indent + 1);
    }
  }

  /** A line that begins in a column in which nothing can begin. */
  private Optional<Problem> indentation(Place at) {
    List<KeyLine> rows = rows(at.line());
    Optional<KeyLine> here = rows.stream().filter(row -> row.line() == at.line()).findFirst();
    List<KeyLine> above = rows.stream().filter(row -> row.line() < at.line()).toList();
    if (here.isEmpty() || above.isEmpty()) {
      return Optional.empty();
    }
    KeyLine row = here.get();
    KeyLine last = above.getLast();
    if (!last.isKey() && row.isKey()) {
      return withoutColon(last.place(file));
    }
    if (row.indent() > last.indent()) {
      return problem(
          row.place(file),
          "%s is indented deeper than %s before it%s"
              .formatted(row.named(), last.named(), last.hasValue() ? ", which has its value" : ""),
          "expected it in column %d, as %s".formatted(last.indent() + 1, last.named()));
    }
    List<KeyLine> open = open(above);
    return open.stream().anyMatch(o -> o.indent() == row.indent())
        ? Optional.empty()
        : problem(
            row.place(file),
            "%s begins in column %d, but nothing above that it could follow begins there"
                .formatted(row.named(), row.indent() + 1),
            "expected it in "
                + open.stream()
                    .map(o -> "column %d, as %s".formatted(o.indent() + 1, o.named()))
                    .collect(Collectors.joining(", or ")));
  }

  /** The last row of each depth at which the next line can continue, the deepest first. */
  private static List<KeyLine> open(List<KeyLine> rows) {
    List<KeyLine> open = new ArrayList<>();
    for (KeyLine row : rows.reversed()) {
      if (open.isEmpty() || row.indent() < open.getLast().indent()) {
        open.add(row);
      }
    }
    return open;
  }

  private Optional<Problem> secondColon(Place at) {
    String before = line(at).substring(0, Math.min(at.column() - 1, line(at).length())).strip();
    Matcher key = KEY.matcher(before);
    return key.matches() && key.group(2) != null
        ? problem(
            at,
            "a second ':' in the value of `%s`".formatted(label(before)),
            "expected quotes around a value that has one")
        : Optional.empty();
  }

  private Optional<Problem> withoutColon(Place at) {
    return problem(
        at,
        "`%s` has no ': ' behind it".formatted(label(line(at))),
        "expected 'key: value', with a space behind the colon");
  }

  private List<KeyLine> rows(int upTo) {
    List<KeyLine> rows = new ArrayList<>();
    int textOf = -1;
    int textIndent = -1;
    for (int i = 0; i < Math.min(upTo, lines.size()); i++) {
      String rest = lines.get(i).stripTrailing();
      int indent = indent(rest);
      rest = rest.strip();
      // Further lines of a text are indented at least as far as its first line.
      if (textOf >= 0 && indent > textOf && indent >= textIndent && !rest.isEmpty()) {
        textIndent = textIndent < 0 ? indent : textIndent;
        continue;
      }
      if (rest.isEmpty() || rest.startsWith("#")) {
        continue;
      }
      textIndent = -1;
      textOf = BLOCK_TEXT.matcher(rest).matches() ? indent : -1;
      for (int depth = 0; depth < YamlReader.MAX_DEPTH && rest.startsWith("- "); depth++) {
        rows.add(new KeyLine(i + 1, indent, "-", true, true));
        indent += 2 + indent(rest.substring(2));
        rest = rest.substring(2).strip();
      }
      Matcher key = KEY.matcher(rest);
      boolean isKey = key.matches();
      if (!isKey && !rows.isEmpty() && rows.getLast().isGoneOnWith(indent)) {
        continue;
      }
      String value = isKey && key.group(2) != null ? key.group(2) : "";
      rows.add(
          new KeyLine(
              i + 1, indent, label(rest), isKey, !value.isEmpty() && !value.startsWith("#")));
    }
    return rows;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  /** The key or first word of a line, for quoting; the rest may be a secret. */
  private static String label(String line) {
    String text = line.strip();
    Matcher key = KEY.matcher(text);
    String label =
        Masking.of(key.matches() ? key.group(1).strip() : text.split("(?<=.)[\\s:]", 2)[0]);
    return label.length() <= LONGEST_LABEL ? label : label.substring(0, LONGEST_LABEL) + "...";
  }

  private String line(Place at) {
    return at.line() <= lines.size() ? lines.get(at.line() - 1) : "";
  }
}
