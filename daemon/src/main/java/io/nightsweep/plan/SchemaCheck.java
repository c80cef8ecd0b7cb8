package io.nightsweep.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Checks a document against the JSON Schema that editors use too. In messages, a schema's {@code
 * title} follows "expected".
 */
enum SchemaCheck {
  SWEEP("templates/sweep.schema.json"),
  PLAN("templates/plans/plan.schema.json"),
  CATALOG("flags/catalog.schema.json"),
  PLAYBOOK("playbooks/playbook.schema.json"),
  SAMPLES("playbooks/samples/samples.schema.json"),
  THREADS("playbooks/threads/threads.schema.json"),
  LLM("templates/llm/llm.schema.json"),
  STUDY("templates/studies/study.schema.json"),
  REFERENCE("templates/studies/reference/reference.schema.json");

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Map<String, JsonNode> SOURCES = new ConcurrentHashMap<>();
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String resource;

  SchemaCheck(String resource) {
    this.resource = resource;
  }

  void check(Yaml.Mapping document, Problems problems) {
    Schema schema = REGISTRY.getSchema(SchemaLocation.of("classpath:" + resource));
    for (Error error : schema.validate(json(document))) {
      problems.add(problem(document, error));
    }
    if (this != SAMPLES) {
      // Samples are output of programs and contain made-up secrets.
      Secrets.refuse(document, problems);
    }
  }

  private static Problem problem(Yaml.Mapping document, Error error) {
    PlacedValue spot = PlacedValue.of(document, error.getInstanceLocation());
    JsonNode rules = parentRules(error);
    String property = Objects.requireNonNullElse(error.getProperty(), "");
    String keyword = error.getKeyword();
    return switch (keyword) {
      case "additionalProperties" ->
          Problem.unknown(
              spot.value() instanceof Yaml.Mapping m ? m.placeOf(property) : spot.place(),
              "key",
              property,
              names(rules.path("properties")));
      case "propertyNames" ->
          Problem.of(
              spot.value() instanceof Yaml.Mapping m ? m.placeOf(property) : spot.place(),
              "the name '" + property + "' is not allowed here",
              expected(followed(error.getSchemaNode(), error), error));
      case "required" ->
          Problem.of(
              spot.keyPlace(),
              "'" + property + "' is missing" + spot.within(),
              title(followed(rules.path("properties").path(property), error))
                  .map(t -> "expected " + t)
                  .orElse(""));
      case "enum" ->
          spot.value() instanceof Yaml.Scalar s
              ? Problem.unknown(s.place(), spot.name(), s.text(), texts(error.getSchemaNode()))
              : Problem.of(spot.place(), spot.found(), expected(rules, error));
      default -> Problem.of(spot.place(), spot.found(), expected(rules, error));
    };
  }

  private static String expected(JsonNode rules, Error error) {
    return "expected "
        + title(rules)
            .or(() -> title(rulesWithChoice(error)))
            .orElseGet(
                () ->
                    switch (error.getKeyword()) {
                      case "type" -> types(error.getSchemaNode());
                      case "minimum" -> "at least " + error.getSchemaNode().asText();
                      case "maximum" -> "at most " + error.getSchemaNode().asText();
                      case "exclusiveMinimum" -> "more than " + error.getSchemaNode().asText();
                      case "minItems", "minProperties" ->
                          "at least " + error.getSchemaNode().asText() + " in it";
                      case "minLength" -> "a text that is not empty";
                      default -> "something that " + error.getMessage();
                    });
  }

  private static String types(JsonNode types) {
    return texts(types).stream()
        .filter(t -> !t.equals("null"))
        .map(
            t ->
                switch (t) {
                  case "string" -> "a text";
                  case "integer" -> "a whole number";
                  case "number" -> "a number";
                  case "boolean" -> "true or false";
                  case "array" -> "a list";
                  case "object" -> "a mapping";
                  default -> t;
                })
        .collect(Collectors.joining(" or "));
  }

  private static Optional<String> title(JsonNode rules) {
    return Optional.of(rules.path("title").asText("")).filter(t -> !t.isEmpty());
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  private static List<String> texts(JsonNode node) {
    return node.isArray()
        ? node.valueStream().map(v -> v.asText()).toList()
        : List.of(node.asText());
  }

  /** The schema object with the keyword that failed. */
  private static JsonNode parentRules(Error error) {
    return rules(error, error.getSchemaLocation().getFragment().getNameCount() - 1);
  }

  /**
   * @param depth how many elements of the failed keyword's path lead to the object
   */
  private static JsonNode rules(Error error, int depth) {
    JsonNode node = file(error);
    NodePath path = error.getSchemaLocation().getFragment();
    for (int i = 0; i < depth; i++) {
      node = path.getElement(i) instanceof Integer n ? node.path(n) : node.path(path.getName(i));
    }
    return node;
  }

  /** The schema object that leaves the choice, if the failed one is a choice of it. */
  private static JsonNode rulesWithChoice(Error error) {
    NodePath path = error.getSchemaLocation().getFragment();
    int choice = path.getNameCount() - 3;
    return choice >= 0 && "anyOf".equals(path.getElement(choice))
        ? rules(error, choice)
        : MissingNode.getInstance();
  }

  private static JsonNode file(Error error) {
    return SOURCES.computeIfAbsent(
        error.getSchemaLocation().getAbsoluteIri().toString(), SchemaCheck::source);
  }

  /** The definition behind a reference within the same file. */
  private static JsonNode followed(JsonNode rules, Error error) {
    String reference = rules.path("$ref").asText("");
    return reference.startsWith("#/") ? file(error).at(reference.substring(1)) : rules;
  }

  private static JsonNode source(String file) {
    String path = file.substring("classpath:".length());
    try {
      return MAPPER.readTree(Resources.packed(path).orElseThrow());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(path + " is not JSON", e);
    }
  }

  private static JsonNode json(Yaml value) {
    return switch (value) {
      case Yaml.Mapping m -> {
        ObjectNode node = JSON.objectNode();
        m.entries().forEach((key, entry) -> node.set(key, json(entry.value())));
        yield node;
      }
      case Yaml.Sequence s -> {
        ArrayNode node = JSON.arrayNode();
        s.items().forEach(item -> node.add(json(item)));
        yield node;
      }
      case Yaml.Scalar s ->
          switch (s.type()) {
            case TEXT -> JSON.textNode(s.text());
            case INTEGER, NUMBER -> number(s.text());
            case BOOLEAN -> JSON.booleanNode(s.text().equalsIgnoreCase("true"));
            case NOTHING -> JSON.nullNode();
          };
    };
  }

  /**
   * A number written with a point or an exponent. JSON Schema would take 5.0 and 5e0 for whole
   * numbers, but the readers of whole numbers take digits only.
   */
  private static final class Fractional extends DecimalNode {
    private static final long serialVersionUID = 1L;

    Fractional(BigDecimal number) {
      super(number);
    }

    @Override
    public boolean canConvertToExactIntegral() {
      return false;
    }
  }

  /** A number; hexadecimal, octal, infinite and absurdly large numbers count as text. */
  private static JsonNode number(String text) {
    try {
      BigDecimal number = new BigDecimal(text);
      return Math.abs((long) number.scale()) > 400
          ? JSON.textNode(text)
          : number.scale() <= 0 && text.matches("[-+]?\\d+")
              ? JSON.numberNode(number.toBigInteger())
              : new Fractional(number);
    } catch (NumberFormatException e) {
      return JSON.textNode(text);
    }
  }

  /** A value in the document with its key or index. */
  private record PlacedValue(Yaml value, Place keyPlace, String name) {
    static PlacedValue of(Yaml.Mapping document, NodePath path) {
      PlacedValue spot = new PlacedValue(document, document.place(), "");
      for (int i = 0; i < path.getNameCount(); i++) {
        spot = spot.step(path.getElement(i));
      }
      return spot;
    }

    private PlacedValue step(Object element) {
      String key = element.toString();
      return switch (value) {
        case Yaml.Mapping m -> {
          Yaml.YamlEntry entry = m.entries().get(key);
          yield entry == null ? this : new PlacedValue(entry.value(), entry.keyPlace(), key);
        }
        case Yaml.Sequence s -> {
          Yaml item = s.items().get(Integer.parseInt(key));
          yield new PlacedValue(item, item.place(), name);
        }
        case Yaml.Scalar s -> this;
      };
    }

    /** The place; for an absent value, that of its key. */
    Place place() {
      return value instanceof Yaml.Scalar s && s.type() == Yaml.Scalar.Type.NOTHING
          ? keyPlace
          : value.place();
    }

    String found() {
      if (name.contains("=")
          && value instanceof Yaml.Scalar s
          && s.type() == Yaml.Scalar.Type.NOTHING) {
        return "'" + name + "' has no value; YAML writes '" + name.replaceFirst("=", ": ") + "'";
      }
      return name.isEmpty() ? "found " + value.describe() : "'" + name + "' is " + value.describe();
    }

    String within() {
      return name.isEmpty() ? "" : " in '" + name + "'";
    }
  }
}
