package io.nightsweep.plan;

import java.util.List;
import java.util.Optional;

/** Reads {@code templates/studies/reference/*.yaml}. */
final class ReferenceFile {
  private final Resources resources;
  private final Problems problems;

  ReferenceFile(Resources resources, Problems problems) {
    this.resources = resources;
    this.problems = problems;
  }

  Optional<Study.Reference> read(Yaml.Scalar name) {
    Optional<Resources.Source> source = resources.find(Resources.Kind.REFERENCE, name.text());
    if (source.isEmpty()) {
      problems.add(
          Problem.unknown(
              name.place(), "reference", name.text(), resources.names(Resources.Kind.REFERENCE)));
    }
    return source.map(s -> read(name.text(), s));
  }

  private Study.Reference read(String name, Resources.Source source) {
    Problems own = new Problems();
    Yaml.Mapping root = YamlReader.read(source.file(), source.text(), own);
    if (own.isEmpty()) {
      SchemaCheck.REFERENCE.check(root, own);
    }
    own.all().forEach(problems::add);
    List<Study.Cost> costs =
        root.items("topologies").stream()
            .filter(Yaml.Mapping.class::isInstance)
            .map(item -> cost((Yaml.Mapping) item))
            .toList();
    return new Study.Reference(
        name, integer(root, "version"), root.text("source").orElse(""), costs);
  }

  private static Study.Cost cost(Yaml.Mapping m) {
    return new Study.Cost(
        m.text("topology").orElse(""),
        integer(m, "ranks"),
        integer(m, "width"),
        integer(m, "height"),
        m.scalar("rootCentre").map(Values::isTrue).orElse(false),
        m.scalar("messages").flatMap(Values::number).orElse(0.0),
        m.scalar("share").flatMap(Values::number).orElse(0.0));
  }

  private static int integer(Yaml.Mapping mapping, String key) {
    return mapping.scalar(key).flatMap(Values::integer).orElse(0);
  }
}
