package io.nightsweep.plan;

import io.nightsweep.files.Masking;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** A YAML document with the place of every key and value. */
sealed interface Yaml {
  Place place();

  /** The value in words, for messages. */
  String describe();

  /** A scalar with its text as written, so that {@code .95} and {@code 1e3} keep their form. */
  record Scalar(Place place, String text, Type type, Notation style) implements Yaml {
    enum Type {
      TEXT,
      INTEGER,
      NUMBER,
      BOOLEAN,
      NOTHING
    }

    /** The notation of a scalar; the lines of a literal one are lines of the file. */
    enum Notation {
      PLAIN,
      QUOTED,
      LITERAL,
      FOLDED
    }

    @Override
    public String describe() {
      String masked = Masking.of(text);
      String shown = masked.length() > 60 ? masked.substring(0, 57) + "..." : masked;
      return type == Type.NOTHING ? "nothing" : "'" + shown.replace("\n", "\\n") + "'";
    }

    /** The place of a character of the text; exact where the text is on one line. */
    Place at(int index) {
      return place.right(index + (style == Notation.QUOTED ? 1 : 0));
    }

    /** The place of a line of the text, counted from 1, if it is also a line of the file. */
    Place atLine(int line) {
      return style == Notation.LITERAL ? new Place(place.file(), place.line() + line, 1) : place;
    }
  }

  record Sequence(Place place, List<Yaml> items) implements Yaml {
    @Override
    public String describe() {
      return "a list";
    }
  }

  record Mapping(Place place, SequencedMap<String, YamlEntry> entries) implements Yaml {
    static Mapping empty(Place place) {
      return new Mapping(place, new LinkedHashMap<>());
    }

    static Mapping of(Place place, YamlEntry only) {
      LinkedHashMap<String, YamlEntry> entries = new LinkedHashMap<>();
      entries.put(only.key(), only);
      return new Mapping(place, entries);
    }

    @Override
    public String describe() {
      return "a mapping";
    }

    Optional<Yaml> get(String key) {
      return Optional.ofNullable(entries.get(key)).map(YamlEntry::value);
    }

    /** The place of the key, or of the mapping where the key is absent. */
    Place placeOf(String key) {
      YamlEntry entry = entries.get(key);
      return entry == null ? place : entry.keyPlace();
    }

    /**
     * The place of the value at the end of a path, or of the last existing mapping on the path.
     *
     * @param key whether to return the place of the last key instead of its value
     */
    Place placeAt(List<String> path, boolean key) {
      Mapping at = this;
      for (String step : path.subList(0, path.size() - 1)) {
        at = at.mapping(step);
      }
      Place keyPlace = at.placeOf(path.getLast());
      return key ? keyPlace : at.get(path.getLast()).map(Yaml::place).orElse(keyPlace);
    }

    /** A scalar; empty where it is absent, or has another shape, which the schema reports. */
    Optional<Scalar> scalar(String key) {
      return get(key)
          .filter(Scalar.class::isInstance)
          .map(Scalar.class::cast)
          .filter(s -> s.type() != Scalar.Type.NOTHING);
    }

    Optional<String> text(String key) {
      return scalar(key).map(Scalar::text);
    }

    Mapping mapping(String key) {
      return get(key)
          .filter(Mapping.class::isInstance)
          .map(Mapping.class::cast)
          .orElseGet(() -> empty(placeOf(key)));
    }

    List<Yaml> items(String key) {
      return get(key).map(Mapping::asItems).orElse(List.of());
    }

    /** The scalars of a list, or a single scalar in its place. */
    List<Scalar> scalars(String key) {
      return items(key).stream()
          .filter(Scalar.class::isInstance)
          .map(Scalar.class::cast)
          .filter(s -> s.type() != Scalar.Type.NOTHING)
          .toList();
    }

    private static List<Yaml> asItems(Yaml value) {
      return switch (value) {
        case Sequence s -> s.items();
        case Scalar s -> List.of(s);
        case Mapping m -> List.of(m);
      };
    }
  }

  record YamlEntry(String key, Place keyPlace, Yaml value) {}
}
