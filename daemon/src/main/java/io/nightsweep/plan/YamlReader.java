package io.nightsweep.plan;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.nightsweep.plan.Yaml.Scalar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads YAML into {@link Yaml}, with the types of YAML 1.2's core schema; every error becomes a
 * problem with its place.
 */
final class YamlReader {
  /** A limit: converting a longer number would take minutes. */
  private static final int MOST_DIGITS = 100;

  /** Characters that are not possible in any variable, argument or file. */
  private static final Pattern NOWHERE_A_VALUE = Pattern.compile("[\\x00\\p{Cs}]");

  /** More than any file of this project needs; it bounds documents with multiplying aliases. */
  private static final int MAX_VALUES = 100_000;

  static final int MAX_DEPTH = 50;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final YAMLFactory FACTORY = new YAMLFactory();

  private static final Pattern NOTHING = Pattern.compile("~|null|Null|NULL|");
  private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+");
  private static final Pattern NUMBER =
      Pattern.compile(
          "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?"
              + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  /** What may precede a value on its line: an anchor and a tag. */
  private static final Pattern PROPERTIES = Pattern.compile("([&!]\\S*\\s+)*+");

  private final String file;
  private final List<String> lines;
  private final YAMLParser parser;
  private final Problems problems;
  private final Map<String, Optional<SizedYaml>> anchors = new HashMap<>();
  private int values;

  private YamlReader(String file, String text, YAMLParser parser, Problems problems) {
    this.file = file;
    this.lines = text.lines().toList();
    this.parser = parser;
    this.problems = problems;
  }

  /**
   * A value with its size for the document's limits.
   *
   * @param values how many values it contains, itself included, with those that its aliases repeat
   * @param depth its number of levels; 1 for a scalar
   */
  private record SizedYaml(Yaml value, int values, int depth) {}

  /** The packed resources that were read without a problem, by their files. */
  private static final Map<String, SoftReference<PackedYaml>> PACKED = new ConcurrentHashMap<>();

  private record PackedYaml(String text, Yaml.Mapping root) {}

  /** As below. A packed text is read once: every sweep file names the same few. */
  static Yaml.Mapping read(Resources.ResourceText source, Problems problems) {
    if (!source.isPacked()) {
      return read(source.file(), source.text(), problems);
    }
    SoftReference<PackedYaml> kept = PACKED.get(source.file());
    PackedYaml known = kept == null ? null : kept.get();
    if (known != null && known.text().equals(source.text())) {
      return known.root();
    }
    Yaml.Mapping root = read(source.file(), source.text(), problems);
    if (problems.isEmpty()) {
      PACKED.put(source.file(), new SoftReference<>(new PackedYaml(source.text(), root)));
    }
    return root;
  }

  /** The document's mapping; an empty one, with problems, where there is none. */
  static Yaml.Mapping read(String file, String text, Problems problems) {
    Yaml.Mapping nothing = Yaml.Mapping.empty(Place.startOf(file));
    String content = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    try (YAMLParser parser = FACTORY.createParser(content)) {
      YamlReader reader = new YamlReader(file, content, parser, problems);
      if (parser.nextToken() == null) {
        problems.add(Place.startOf(file), "the file is empty", "expected lines of 'key: value'");
        return nothing;
      }
      Yaml root = reader.value(0).value();
      if (parser.nextToken() != null) {
        problems.add(reader.place(), "a second document", "expected one document in a file");
        return nothing;
      }
      if (root instanceof Yaml.Mapping mapping) {
        return mapping;
      }
      if (problems.isEmpty()) {
        problems.add(root.place(), "the file is not a mapping", "expected lines of 'key: value'");
      }
      return Yaml.Mapping.empty(root.place());
    } catch (JsonProcessingException e) {
      problems.add(YamlFault.problem(file, content.lines().toList(), e));
      return nothing;
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory could not be read", e);
    }
  }

  /** The value that begins at the current token; afterwards, the current token is its last. */
  private SizedYaml value(int depth) throws IOException {
    Place place = place();
    if (depth > MAX_DEPTH) {
      problems.add(place, "nested too deeply", "expected at most " + MAX_DEPTH + " levels");
      parser.skipChildren();
      return new SizedYaml(Yaml.Mapping.empty(place), 1, 1);
    }
    if (parser.isCurrentAlias()) {
      return alias(place, depth);
    }
    Optional<String> anchor = Optional.ofNullable(parser.getObjectId());
    anchor.ifPresent(name -> anchors.put(name, Optional.empty()));
    int before = values;
    SizedYaml node =
        switch (parser.currentToken()) {
          case START_OBJECT -> mapping(place, depth, before);
          case START_ARRAY -> sequence(place, depth, before);
          default -> new SizedYaml(scalar(place), 1, 1);
        };
    count(place, 1);
    anchor.ifPresent(name -> anchors.put(name, Optional.of(node)));
    return node;
  }

  private SizedYaml alias(Place place, int depth) throws IOException {
    String name = parser.getText();
    Optional<SizedYaml> known = anchors.get(name);
    SizedYaml nothing = new SizedYaml(Yaml.Mapping.empty(place), 1, 1);
    if (known == null) {
      problems.add(place, "the alias '*" + name + "' has no anchor before it", "");
      return nothing;
    }
    if (known.isEmpty()) {
      problems.add(place, "an alias that contains itself", "expected an anchor before it");
      return nothing;
    }
    SizedYaml node = known.get();
    if (depth + node.depth() - 1 > MAX_DEPTH) {
      problems.add(place, "nested too deeply", "expected at most " + MAX_DEPTH + " levels");
      return nothing;
    }
    return count(place, node.values()) ? node : nothing;
  }

  /** Whether this many more values are within the limit. */
  private boolean count(Place place, int more) {
    boolean within = values <= MAX_VALUES;
    values += more;
    if (within && values > MAX_VALUES) {
      problems.add(place, "too many values", "expected at most " + MAX_VALUES);
    }
    return values <= MAX_VALUES;
  }

  private Scalar scalar(Place place) throws IOException {
    String text = parser.getText();
    String tag = Optional.ofNullable(parser.getTypeId()).orElse("");
    Scalar.Notation style =
        switch (firstCharacter(place)) {
          case '"', '\'' -> Scalar.Notation.QUOTED;
          case '|' -> Scalar.Notation.LITERAL;
          case '>' -> Scalar.Notation.FOLDED;
          default -> Scalar.Notation.PLAIN;
        };
    Scalar.Type type =
        tag.isEmpty()
            ? style == Scalar.Notation.PLAIN ? plain(text) : Scalar.Type.TEXT
            : tagged(tag);
    if (NOWHERE_A_VALUE.matcher(text).find()) {
      problems.add(place, "a value with a NUL or half a character", "expected text");
      return new Scalar(place, "", Scalar.Type.TEXT, style);
    }
    boolean isNumber = type == Scalar.Type.INTEGER || type == Scalar.Type.NUMBER;
    if (isNumber && text.length() > MOST_DIGITS) {
      problems.add(
          place, "a number of " + text.length() + " characters", "expected at most " + MOST_DIGITS);
      return new Scalar(place, "0", Scalar.Type.INTEGER, style);
    }
    return new Scalar(place, text, type, style);
  }

  private static Scalar.Type tagged(String tag) {
    return switch (tag.substring(tag.lastIndexOf(':') + 1)) {
      case "int" -> Scalar.Type.INTEGER;
      case "float" -> Scalar.Type.NUMBER;
      case "bool" -> Scalar.Type.BOOLEAN;
      case "null" -> Scalar.Type.NOTHING;
      default -> Scalar.Type.TEXT;
    };
  }

  private static Scalar.Type plain(String text) {
    return NOTHING.matcher(text).matches()
        ? Scalar.Type.NOTHING
        : BOOLEAN.matcher(text).matches()
            ? Scalar.Type.BOOLEAN
            : INTEGER.matcher(text).matches()
                ? Scalar.Type.INTEGER
                : NUMBER.matcher(text).matches() ? Scalar.Type.NUMBER : Scalar.Type.TEXT;
  }

  /**
   * The first character of the scalar at a place, after its anchor and tag; NUL where there is
   * none.
   */
  private char firstCharacter(Place place) {
    if (place.line() > lines.size()) {
      return 0;
    }
    String line = lines.get(place.line() - 1);
    int start =
        line.offsetByCodePoints(
            0, Math.min(place.column() - 1, line.codePointCount(0, line.length())));
    Matcher properties = PROPERTIES.matcher(line).region(start, line.length());
    int at = properties.lookingAt() ? properties.end() : start;
    return at < line.length() ? line.charAt(at) : 0;
  }

  private SizedYaml sequence(Place place, int depth, int before) throws IOException {
    List<Yaml> items = new ArrayList<>();
    int deepest = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      SizedYaml item = value(depth + 1);
      items.add(item.value());
      deepest = Math.max(deepest, item.depth());
    }
    return new SizedYaml(
        new Yaml.Sequence(place, List.copyOf(items)), values - before + 1, deepest + 1);
  }

  private SizedYaml mapping(Place place, int depth, int before) throws IOException {
    LinkedHashMap<String, Yaml.YamlEntry> entries = new LinkedHashMap<>();
    int deepest = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Place keyPlace = place();
      String key = parser.currentName();
      parser.nextToken();
      SizedYaml node = value(depth + 1);
      deepest = Math.max(deepest, node.depth());
      Yaml.YamlEntry earlier =
          entries.putIfAbsent(key, new Yaml.YamlEntry(key, keyPlace, node.value()));
      if (earlier != null) {
        problems.add(
            keyPlace,
            "duplicate key '" + key + "'",
            String.format(Locale.ROOT, "it is already on line %d", earlier.keyPlace().line()));
      }
    }
    return new SizedYaml(new Yaml.Mapping(place, entries), values - before + 1, deepest + 1);
  }

  private Place place() {
    return place(file, parser.currentTokenLocation());
  }

  private static Place place(String file, JsonLocation location) {
    return new Place(file, Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }
}
