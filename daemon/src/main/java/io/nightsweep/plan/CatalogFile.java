package io.nightsweep.plan;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Catalog.Expectation;
import io.nightsweep.sweep.Catalog.Sign;
import io.nightsweep.sweep.Catalog.Target;
import io.nightsweep.sweep.Profile;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code flags/*.yaml}: one candidate profile for each value of each entry. */
final class CatalogFile {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,4}) ?([KMGTkmgt])i?[bB]?");

  private final Map<String, String> known;
  private final Problems problems;

  /**
   * @param known numbers to which factors can refer: workload settings and the axes of the cell
   */
  CatalogFile(Map<String, String> known, Problems problems) {
    this.known = known;
    this.problems = problems;
  }

  Catalog read(String name, Resources.ResourceText source) {
    Problems own = new Problems();
    Yaml.Mapping root = YamlReader.read(source, own);
    if (own.isEmpty()) {
      SchemaCheck.CATALOG.check(root, own);
    }
    List<Catalog.CatalogEntry> entries = new ArrayList<>();
    Map<String, Place> ids = new HashMap<>();
    for (Yaml item : root.items("entries")) {
      if (item instanceof Yaml.Mapping entry) {
        Place place = entry.scalar("id").map(Yaml::place).orElse(entry.place());
        String id = entry.text("id").orElse("");
        Place earlier = ids.putIfAbsent(id, place);
        if (earlier != null) {
          own.add(place, "the id '" + id + "' stands twice", "it is on line " + earlier.line());
        }
        entry(id, entry, own).ifPresent(entries::add);
      }
    }
    for (Yaml item : root.items("entries")) {
      if (item instanceof Yaml.Mapping entry) {
        entry.scalars("conflicts").stream()
            .filter(c -> !ids.containsKey(c.text()))
            .forEach(c -> own.add(Problem.unknown(c.place(), "entry", c.text(), ids.keySet())));
      }
    }
    own.all().forEach(problems::add);
    return new Catalog(name, root.text("about").orElse(""), entries);
  }

  private Optional<Catalog.CatalogEntry> entry(String id, Yaml.Mapping entry, Problems own) {
    List<Target> targets =
        Stream.of(Target.values()).filter(t -> entry.get(Values.kebab(t)).isPresent()).toList();
    if (targets.size() != 1) {
      own.add(
          entry.place(),
          targets.isEmpty() ? "the entry sets nothing" : "the entry sets more than one thing",
          "expected exactly one of flag, env, override");
      return Optional.empty();
    }
    Target target = targets.getFirst();
    String setting = entry.text(Values.kebab(target)).orElse("");
    return Optional.of(
        new Catalog.CatalogEntry(
            id,
            target,
            setting,
            entry
                .scalar("type")
                .flatMap(s -> Values.constant(Catalog.Type.class, s))
                .orElse(Catalog.Type.TEXT),
            entry.text("default"),
            entry.items("values").stream()
                .flatMap(v -> candidate(id, entry, target, setting, v, own).stream())
                .toList(),
            expectations(entry.mapping("parallelisms")),
            texts(entry, "mechanism"),
            entry.scalars("risks").stream()
                .flatMap(s -> Values.constant(Catalog.Risk.class, s).stream())
                .toList(),
            entry.text("versions").orElse(""),
            texts(entry, "conflicts"),
            needs(entry.mapping("needs")),
            entry.text("passesOnly").filter("true"::equals).isPresent(),
            range(entry, own),
            entry.text("about").orElse("")));
  }

  private static Optional<Catalog.ProposableRange> range(Yaml.Mapping entry, Problems own) {
    Yaml.Mapping range = entry.mapping("proposable");
    Optional<Double> from = range.scalar("from").flatMap(Values::number);
    Optional<Double> to = range.scalar("to").flatMap(Values::number);
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    boolean isNumber =
        entry
            .scalar("type")
            .flatMap(s -> Values.constant(Catalog.Type.class, s))
            .filter(
                type ->
                    switch (type) {
                      case INTEGER, NUMBER, BYTES -> true;
                      case BOOLEAN, CHOICE, TEXT -> false;
                    })
            .isPresent();
    if (!isNumber || from.get() > to.get()) {
      own.add(
          entry.placeOf("proposable"),
          isNumber ? "'from' is greater than 'to'" : "a range of values that are not numbers",
          "expected {from, to} with 'from' up to 'to', of type integer, number or bytes");
      return Optional.empty();
    }
    return Optional.of(new Catalog.ProposableRange(from.get(), to.get()));
  }

  private Optional<Profile> candidate(
      String id, Yaml.Mapping entry, Target target, String setting, Yaml value, Problems own) {
    Optional<String> text =
        switch (value) {
          case Yaml.Scalar s -> Optional.of(s.text());
          case Yaml.Mapping m -> m.text("value").or(() -> product(m));
          case Yaml.Sequence s -> Optional.empty();
        };
    if (text.isEmpty()) {
      if (value instanceof Yaml.Mapping m && m.get("value").isEmpty() && m.get("of").isEmpty()) {
        own.add(m.place(), "a value without 'value'", "expected {value, as} or {times, of, as}");
      }
      return Optional.empty();
    }
    checkType(entry, value, text.get(), own);
    TreeMap<String, String> own1 = new TreeMap<>();
    own1.put(setting, text.get());
    texts(entry, "together").forEach(other -> own1.put(other, text.get()));
    Yaml.Mapping with = entry.mapping("with");
    SortedMap<String, String> flags = Values.settings(with.mapping("flags"));
    SortedMap<String, String> env = Values.settings(with.mapping("env"));
    SortedMap<String, String> overrides = Values.settings(with.mapping("overrides"));
    switch (target) {
      case FLAG -> flags.putAll(own1);
      case ENV -> env.putAll(own1);
      case OVERRIDE -> overrides.putAll(own1);
    }
    return Optional.of(Profile.of(name(id, entry, value, text.get()), flags, env, overrides));
  }

  /** The candidate's name; without a suffix if the entry has only one value. */
  private static String name(String id, Yaml.Mapping entry, Yaml value, String text) {
    if (entry.items("values").size() == 1) {
      return id;
    }
    String suffix = value instanceof Yaml.Mapping m ? m.text("as").orElse(text) : text;
    return id + "-" + suffix.replaceAll("[^A-Za-z0-9._-]+", "_");
  }

  private Optional<String> product(Yaml.Mapping value) {
    Optional<BigDecimal> base =
        texts(value, "of").stream()
            .flatMap(name -> Stream.ofNullable(known.get(name)))
            .filter(v -> v.matches("[1-9][0-9]{0,8}"))
            .map(BigDecimal::new)
            .findFirst();
    Optional<BigDecimal> times =
        value.scalar("times").flatMap(Values::number).map(BigDecimal::valueOf);
    return base.flatMap(b -> times.map(b::multiply))
        .filter(p -> p.stripTrailingZeros().scale() <= 0 && p.signum() > 0)
        .map(p -> p.toBigInteger().toString());
  }

  private static void checkType(Yaml.Mapping entry, Yaml value, String text, Problems own) {
    Optional<Catalog.Type> type =
        entry.scalar("type").flatMap(s -> Values.constant(Catalog.Type.class, s));
    type.flatMap(t -> misfit(t, text))
        .or(() -> entry.get("flag").flatMap(flag -> ProfilesForm.split(text)))
        .ifPresent(expected -> own.add(value.place(), "found '" + text + "'", expected));
  }

  /** What a flag of the type expects instead of the text; empty where the text is valid. */
  static Optional<String> misfit(Catalog.Type type, String text) {
    String expected =
        switch (type) {
          case BOOLEAN -> text.matches("true|false") ? "" : "true or false";
          case INTEGER -> text.matches("-?[0-9]+") ? "" : "a whole number";
          case BYTES ->
              text.matches("0*[0-9]{1,18}") ? "" : "a number of bytes" + example(text).orElse("");
          case NUMBER -> text.matches("-?[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?") ? "" : "a number";
          case CHOICE, TEXT -> "";
        };
    return expected.isEmpty() ? Optional.empty() : Optional.of("expected " + expected);
  }

  /** For a text such as {@code 1G}, the bytes that were probably meant. */
  private static Optional<String> example(String text) {
    Matcher m = SIZE.matcher(text);
    return m.matches()
        ? Optional.of(
            " such as "
                + (Long.parseLong(m.group(1))
                    << (10 * (1 + "KMGT".indexOf(m.group(2).toUpperCase(Locale.ROOT))))))
        : Optional.empty();
  }

  private static SortedMap<String, Expectation> expectations(Yaml.Mapping axes) {
    TreeMap<String, Expectation> expectations = new TreeMap<>();
    for (String axis : axes.entries().keySet()) {
      Yaml.Mapping expectation = axes.mapping(axis);
      expectations.put(
          axis,
          new Expectation(
              expectation
                  .scalar("sign")
                  .flatMap(s -> Values.constant(Sign.class, s))
                  .orElse(Sign.UNKNOWN),
              expectation.text("why").orElse("")));
    }
    return expectations;
  }

  private static SortedMap<String, List<String>> needs(Yaml.Mapping needs) {
    TreeMap<String, List<String>> byKey = new TreeMap<>();
    needs.entries().keySet().forEach(key -> byKey.put(key, texts(needs, key)));
    return byKey;
  }

  private static List<String> texts(Yaml.Mapping mapping, String key) {
    return mapping.scalars(key).stream().map(Yaml.Scalar::text).toList();
  }
}
