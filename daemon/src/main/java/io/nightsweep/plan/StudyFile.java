package io.nightsweep.plan;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.nightsweep.workload.kernels.KernelsWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads {@code templates/studies/*.yaml}. */
public final class StudyFile {
  private static final Duration USUAL_TIME = Duration.ofMinutes(30);
  private static final Duration USUAL_CASE_TIME = Duration.ofMinutes(15);
  private static final int USUAL_ATTEMPTS = 2;
  private static final int USUAL_ROUNDS = 10;

  private final Resources resources;
  private final Problems problems;

  private StudyFile(Resources resources, Problems problems) {
    this.resources = resources;
    this.problems = problems;
  }

  /**
   * The study with this name or path.
   *
   * @throws InvalidInputException with every problem found, or, for an unknown name, with the
   *     nearest one
   */
  public static Study load(String name, Resources resources) throws InvalidInputException {
    Optional<Resources.ResourceText> source = resources.find(Resources.Kind.STUDY, name);
    if (source.isEmpty()) {
      throw new InvalidInputException(List.of(missing(name, resources)));
    }
    return parse(
        name.replaceFirst("^.*/", "").replaceFirst("\\.ya?ml$", ""), source.get(), resources);
  }

  private static Problem missing(String name, Resources resources) {
    Place place = Place.ofFile("bench");
    Collection<String> packed = resources.names(Resources.Kind.STUDY);
    return Resources.isPath(name)
        ? Problem.of(
            place, "there is no file " + name, "or name one of " + String.join(", ", packed))
        : Problem.unknown(place, "study", name, packed);
  }

  static Study parse(String name, Resources.ResourceText source, Resources resources)
      throws InvalidInputException {
    Problems problems = new Problems();
    Yaml.Mapping root = YamlReader.read(source.file(), source.text(), problems);
    if (problems.isEmpty()) {
      SchemaCheck.STUDY.check(root, problems);
    }
    Study study = new StudyFile(resources, problems).study(name, root);
    problems.throwIfAny();
    return study;
  }

  private Study study(String name, Yaml.Mapping root) {
    Yaml.Mapping sampling = root.mapping("sampling");
    List<Study.Layout> layouts = layouts(root);
    List<String> backends = texts(root, "backends");
    return new Study(
        name,
        root.text("about").orElse(""),
        new Study.Sampling(
            integer(sampling, "iterations", 8),
            integer(sampling, "trials", 64),
            integer(sampling, "warmup", 32)),
        backends.isEmpty() ? List.of("mpi") : backends,
        integer(root, "cpusPerTask", 0),
        root.scalar("timeLimit").flatMap(Values::duration).orElse(USUAL_TIME),
        root.scalar("caseLimit").flatMap(Values::duration).orElse(USUAL_CASE_TIME),
        integer(root, "attempts", USUAL_ATTEMPTS),
        sides(root.mapping("sides")),
        root.get("sides").isEmpty() ? 1 : integer(root, "rounds", USUAL_ROUNDS),
        groups(root, layouts),
        new LinkedHashSet<>(texts(root, "figures")),
        root.scalar("reference").flatMap(s -> new ReferenceFile(resources, problems).read(s)));
  }

  private List<Study.Group> groups(Yaml.Mapping root, List<Study.Layout> layouts) {
    List<Study.Group> groups = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Yaml item : root.items("groups")) {
      if (item instanceof Yaml.Mapping group && group.scalar("kernel").isPresent()) {
        String name = group.text("name").orElse("");
        if (!names.add(name)) {
          problems.add(
              group.placeOf("name"), "the group '" + name + "' stands twice", "expected one");
        }
        group(name, group, layouts).ifPresent(groups::add);
      }
    }
    return groups;
  }

  private Optional<Study.Group> group(String name, Yaml.Mapping group, List<Study.Layout> layouts) {
    Yaml.Scalar kernel = group.scalar("kernel").orElseThrow();
    if (!KernelsWorkload.measurable().contains(kernel.text())) {
      problems.add(
          Problem.unknown(kernel.place(), "kernel", kernel.text(), KernelsWorkload.measurable()));
      return Optional.empty();
    }
    Set<String> known = KernelsWorkload.parameters(kernel.text());
    Yaml.Mapping axes = group.mapping("axes");
    holdNames(axes, kernel.text(), known);
    LinkedHashMap<String, List<ValueNode>> values = new LinkedHashMap<>();
    axes.entries()
        .keySet()
        .forEach(
            axis -> values.put(axis, axes.scalars(axis).stream().map(StudyFile::value).toList()));
    List<SequencedMap<String, ValueNode>> variants = new ArrayList<>();
    for (Yaml item : group.items("variants")) {
      if (item instanceof Yaml.Mapping variant) {
        holdNames(variant, kernel.text(), known);
        variant.entries().values().stream()
            .filter(e -> values.containsKey(e.key()))
            .forEach(
                e ->
                    problems.add(
                        e.keyPlace(), "'" + e.key() + "' is an axis too", "expected it once"));
        LinkedHashMap<String, ValueNode> together = new LinkedHashMap<>();
        variant
            .entries()
            .keySet()
            .forEach(key -> variant.scalar(key).ifPresent(s -> together.put(key, value(s))));
        variants.add(together);
      }
    }
    List<Study.Layout> own = layouts(group);
    return Optional.of(
        new Study.Group(
            name,
            kernel.text(),
            group.scalar("required").map(Values::isTrue).orElse(false),
            own.isEmpty() ? layouts : own,
            values,
            variants.isEmpty() ? List.of(new LinkedHashMap<>()) : variants));
  }

  private void holdNames(Yaml.Mapping mapping, String kernel, Collection<String> known) {
    mapping.entries().values().stream()
        .filter(e -> !known.contains(e.key()))
        .forEach(
            e ->
                problems.add(
                    Problem.unknown(e.keyPlace(), "parameter of " + kernel, e.key(), known)));
  }

  private static List<Study.Layout> layouts(Yaml.Mapping mapping) {
    return mapping.items("layouts").stream()
        .filter(Yaml.Mapping.class::isInstance)
        .map(Yaml.Mapping.class::cast)
        .map(m -> new Study.Layout(integer(m, "nodes", 1), integer(m, "perNode", 1)))
        .toList();
  }

  private static SortedMap<String, Study.Side> sides(Yaml.Mapping sides) {
    TreeMap<String, Study.Side> byName = new TreeMap<>();
    for (String name : sides.entries().keySet()) {
      Yaml.Mapping side = sides.mapping(name);
      byName.put(name, new Study.Side(side.text("program"), Values.settings(side.mapping("env"))));
    }
    return byName;
  }

  static ValueNode value(Yaml.Scalar scalar) {
    String text = scalar.text();
    return switch (scalar.type()) {
      case INTEGER ->
          text.matches("[-+]?\\d{1,18}")
              ? LongNode.valueOf(Long.parseLong(text))
              : TextNode.valueOf(text);
      case NUMBER ->
          Values.number(scalar)
              .<ValueNode>map(DoubleNode::valueOf)
              .orElseGet(() -> TextNode.valueOf(text));
      case BOOLEAN -> BooleanNode.valueOf(Values.isTrue(scalar));
      case TEXT, NOTHING -> TextNode.valueOf(text);
    };
  }

  private static int integer(Yaml.Mapping mapping, String key, int otherwise) {
    return mapping.scalar(key).flatMap(Values::integer).orElse(otherwise);
  }

  private static List<String> texts(Yaml.Mapping mapping, String key) {
    return mapping.scalars(key).stream().map(Yaml.Scalar::text).collect(Collectors.toList());
  }
}
