package io.nightsweep.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelsWorkload;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads {@code templates/studies/reference/*.yaml}. */
final class ReferenceFile {
  private final Resources resources;
  private final Problems problems;

  ReferenceFile(Resources resources, Problems problems) {
    this.resources = resources;
    this.problems = problems;
  }

  Optional<Study.Reference> read(Yaml.Scalar name) {
    Optional<Resources.ResourceText> source = resources.find(Resources.Kind.REFERENCE, name.text());
    if (source.isEmpty()) {
      problems.add(
          Problem.unknown(
              name.place(), "reference", name.text(), resources.names(Resources.Kind.REFERENCE)));
    }
    return source.map(s -> read(name.text(), s));
  }

  private Study.Reference read(String name, Resources.ResourceText source) {
    Problems own = new Problems();
    Yaml.Mapping root = YamlReader.read(source, own);
    if (own.isEmpty()) {
      SchemaCheck.REFERENCE.check(root, own);
    }
    List<Study.Cost> costs =
        root.items("topologies").stream()
            .filter(Yaml.Mapping.class::isInstance)
            .map(item -> cost((Yaml.Mapping) item))
            .toList();
    List<Study.PublishedTime> times =
        root.items("times").stream()
            .filter(Yaml.Mapping.class::isInstance)
            .flatMap(item -> time((Yaml.Mapping) item, own).stream())
            .toList();
    own.all().forEach(problems::add);
    return new Study.Reference(
        name, integer(root, "version"), root.text("source").orElse(""), costs, times);
  }

  private static Optional<Study.PublishedTime> time(Yaml.Mapping m, Problems problems) {
    String kernel = m.text("kernel").orElse("");
    if (!KernelsWorkload.measurable().contains(kernel)) {
      m.scalar("kernel")
          .ifPresent(
              s ->
                  problems.add(
                      Problem.unknown(s.place(), "kernel", kernel, KernelsWorkload.measurable())));
      return Optional.empty();
    }
    Set<String> known = new TreeSet<>(KernelsWorkload.parameters(kernel));
    known.add("ranks");
    Yaml.Mapping of = m.mapping("of");
    SortedMap<String, JsonNode> parameters = new TreeMap<>();
    for (Yaml.YamlEntry entry : of.entries().values()) {
      if (!known.contains(entry.key())) {
        problems.add(
            Problem.unknown(entry.keyPlace(), "parameter of " + kernel, entry.key(), known));
      }
      of.scalar(entry.key()).ifPresent(s -> parameters.put(entry.key(), StudyFile.value(s)));
    }
    return Optional.of(
        new Study.PublishedTime(
            m.text("machine").orElse(""),
            kernel,
            m.text("component").orElse(""),
            parameters,
            m.scalar("seconds").flatMap(Values::number).orElse(0.0)));
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
