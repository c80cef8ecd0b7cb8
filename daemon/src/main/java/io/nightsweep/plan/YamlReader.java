package io.nightsweep.plan;

import io.nightsweep.plan.Yaml.Scalar;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads YAML 1.2 (core schema) into {@link Yaml}; every fault becomes a problem with its place. */
final class YamlReader {
  /** More than any file of this project needs; what aliases multiply stops here. */
  private static final int MAX_VALUES = 100_000;

  private static final int MAX_DEPTH = 50;

  private final String file;
  private final Problems problems;
  private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private int values;

  private YamlReader(String file, Problems problems) {
    this.file = file;
    this.problems = problems;
  }

  /** The document's mapping; an empty one where there is none, and the problems say why. */
  static Yaml.Mapping read(String file, String text, Problems problems) {
    YamlReader reader = new YamlReader(file, problems);
    Optional<Node> root = reader.compose(text);
    if (root.isEmpty()) {
      return Yaml.Mapping.empty(Place.startOf(file));
    }
    if (reader.convert(root.get(), 0) instanceof Yaml.Mapping mapping) {
      return mapping;
    }
    Place place = reader.place(root.get().getStartMark());
    if (problems.isEmpty()) {
      problems.add(place, "the file is no mapping", "expected lines of 'key: value'");
    }
    return Yaml.Mapping.empty(place);
  }

  private Optional<Node> compose(String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(file).setSchema(new CoreSchema()).build();
    try {
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        problems.add(Place.startOf(file), "the file is empty", "expected lines of 'key: value'");
      }
      return root;
    } catch (MarkedYamlEngineException e) {
      String context = e.getContext() == null ? "" : e.getContext() + ": ";
      problems.add(
          place(e.getProblemMark().or(e::getContextMark)),
          "not YAML: " + context + e.getProblem(),
          "");
    } catch (YamlEngineException e) {
      problems.add(Place.startOf(file), "not YAML: " + e.getMessage(), "");
    } catch (StackOverflowError e) {
      problems.add(Place.startOf(file), "not YAML: nested too deeply", "");
    }
    return Optional.empty();
  }

  private Yaml convert(Node node, int depth) {
    Place place = place(node.getStartMark());
    if (depth > MAX_DEPTH || !open.add(node)) {
      problems.add(
          place,
          depth > MAX_DEPTH ? "nested too deeply" : "an alias that contains itself",
          "expected at most " + MAX_DEPTH + " levels");
      return Yaml.Mapping.empty(place);
    }
    if (++values > MAX_VALUES) {
      if (values == MAX_VALUES + 1) {
        problems.add(place, "too many values", "expected at most " + MAX_VALUES);
      }
      open.remove(node);
      return Yaml.Mapping.empty(place);
    }
    try {
      return switch (node) {
        case ScalarNode scalar -> scalar(scalar, place);
        case SequenceNode sequence -> sequence(sequence, place, depth);
        case MappingNode mapping -> mapping(mapping, place, depth);
        default -> throw new IllegalStateException("unexpected node " + node.getNodeType());
      };
    } finally {
      open.remove(node);
    }
  }

  private static Scalar scalar(ScalarNode node, Place place) {
    Tag tag = node.getTag();
    Scalar.Type type =
        tag.equals(Tag.INT)
            ? Scalar.Type.INTEGER
            : tag.equals(Tag.FLOAT)
                ? Scalar.Type.NUMBER
                : tag.equals(Tag.BOOL)
                    ? Scalar.Type.BOOLEAN
                    : tag.equals(Tag.NULL) ? Scalar.Type.NOTHING : Scalar.Type.TEXT;
    boolean quoted =
        node.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED
            || node.getScalarStyle() == ScalarStyle.SINGLE_QUOTED;
    return new Scalar(place, node.getValue(), type, quoted);
  }

  private Yaml.Sequence sequence(SequenceNode node, Place place, int depth) {
    List<Yaml> items = new ArrayList<>();
    for (Node item : node.getValue()) {
      items.add(convert(item, depth + 1));
    }
    return new Yaml.Sequence(place, List.copyOf(items));
  }

  private Yaml.Mapping mapping(MappingNode node, Place place, int depth) {
    LinkedHashMap<String, Yaml.Entry> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      Place keyPlace = place(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
        problems.add(keyPlace, "a key that is no text", "expected 'key: value'");
        continue;
      }
      String key = keyNode.getValue();
      Yaml value = convert(tuple.getValueNode(), depth + 1);
      Yaml.Entry earlier = entries.putIfAbsent(key, new Yaml.Entry(key, keyPlace, value));
      if (earlier != null) {
        problems.add(
            keyPlace,
            "duplicate key '" + key + "'",
            String.format(Locale.ROOT, "it stands on line %d already", earlier.keyPlace().line()));
      }
    }
    return new Yaml.Mapping(place, entries);
  }

  private Place place(Optional<Mark> mark) {
    return mark.map(m -> new Place(file, m.getLine() + 1, m.getColumn() + 1))
        .orElse(Place.startOf(file));
  }
}
