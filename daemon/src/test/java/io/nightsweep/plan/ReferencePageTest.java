package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.SweepSettings.Section;
import io.nightsweep.workload.WorkloadKind;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The reference page of {@code sweep.yaml} is generated from the schema and an example for each
 * key. Examples for a workload's keys are in the schema itself, where editors show them. Run with
 * {@code -Dnightsweep.reference=write} to regenerate the page.
 */
@Tag("people")
@Tag("slow")
class ReferencePageTest {
  private static final Path PAGE = Path.of("docs/sweep-yaml.md");
  private static final Path TEMPLATES = Path.of("../templates");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .build();
  private static final String PROFILE = "NAME";

  /** The example of {@code until} is a time of the next morning, whenever the test runs. */
  private static final ZonedDateTime EVENING =
      ZonedDateTime.of(2026, 1, 1, 20, 0, 0, 0, ZoneOffset.UTC);

  /** The rest of a whole sweep around an example. */
  private static final Map<String, String> REST =
      Map.of(
          "model", "model: allreduce",
          "parallelism", "parallelism: ranks=2",
          "slot", "slot: {nodes: 2}",
          "workload", "workload: {kind: kernels, kernel: allreduce, sizes: 1048576, dtype: f32}",
          "plan", "plan: kernels",
          "profiles", "profiles: {ring: {env: {OMPI_MCA_coll_tuned_allreduce_algorithm: 4}}}",
          "budget", "budget: {jobs: 60}",
          "playbook", "playbook: kernels");

  /** The rest of a sweep of each kind beside its workload. */
  private static final Map<String, String> REST_OF_KIND =
      Map.of(
          "command",
          """
          model: my-model
          parallelism: ranks=2
          slot: {nodes: 2}
          metric: {name: tokensPerSecond, better: higher}
          profiles: {faster: {env: {SPEED: 50}}}
          """,
          "kernels",
          """
          model: allreduce
          parallelism: ranks=2
          slot: {nodes: 2}
          profiles: {ring: {env: {OMPI_MCA_coll_tuned_allreduce_algorithm: 4}}}
          """,
          "maxtext",
          """
          model: qwen3-32b
          parallelism: FSDP=2
          slot: {nodes: 2}
          """);

  /**
   * @param kind the only kind of workload that has the key; empty if every sweep has it
   */
  private record Key(
      String path, Optional<String> kind, String title, String description, String example) {
    String heading() {
      return "`" + path + "`" + kind.map(k -> " of kind `" + k + "`").orElse("");
    }
  }

  @Test
  void thePageIsWhatTheSchemaSays() throws IOException {
    String page = page();
    if ("write".equals(System.getProperty("nightsweep.reference"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  @Test
  void everyKeyHasAnExampleAndEveryExampleIsOfAKey() throws IOException {
    assertThat(examples().keySet())
        .containsExactlyInAnyOrderElementsOf(
            keys().stream().filter(key -> key.kind().isEmpty()).map(Key::path).toList());
    assertThat(keys()).allSatisfy(key -> assertThat(key.example()).isNotEmpty());
  }

  @Test
  void everyKindOfWorkloadHasItsSection() throws IOException {
    assertThat(WorkloadSchema.kinds()).containsExactlyInAnyOrderElementsOf(Workloads.names());
  }

  @ParameterizedTest
  @MethodSource("examplesAlone")
  void everyExampleLoads(String path, String example) throws Exception {
    TreeSet<String> others = new TreeSet<>(REST.keySet());
    others.remove(path.replaceAll("\\..*", ""));
    StringBuilder file = new StringBuilder(example);
    others.forEach(key -> file.append(REST.get(key)).append('\n'));
    if (path.startsWith("metric")) {
      file.replace(
          file.indexOf("workload:"),
          file.indexOf("\n", file.indexOf("workload:")),
          "workload: {kind: command, command: \"true\", pattern: '(?<step>\\d+) (?<value>\\d+)',"
              + " steps: 3}");
    }
    assertThat(
            SweepFile.parse("sweep.yaml", file.toString(), Resources.beside(Path.of("sweep.yaml")))
                .onPaper(EVENING))
        .isNotNull();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void everyExampleAndDefaultOfAWorkloadsKeyLoads(String kind, ObjectNode settings)
      throws Exception {
    ObjectNode workload = WorkloadSchema.of(kind).path("examples").get(0).deepCopy();
    workload.setAll(settings);
    String file = yaml("workload", workload) + REST_OF_KIND.get(kind);
    assertThat(
            SweepFile.parse("sweep.yaml", file, Resources.beside(Path.of("sweep.yaml")))
                .onPaper(EVENING))
        .isNotNull();
  }

  static Stream<Object[]> settings() throws IOException {
    List<Object[]> settings = new ArrayList<>();
    for (String kind : WorkloadSchema.kinds()) {
      for (Map.Entry<String, JsonNode> key :
          WorkloadSchema.of(kind).path("properties").properties()) {
        JsonNode rules = key.getValue();
        settings.add(
            new Object[] {kind, alone(kind, key.getKey(), rules.path("examples").path(0))});
        if (rules.has("default")) {
          settings.add(new Object[] {kind, alone(kind, key.getKey(), rules.path("default"))});
        }
      }
    }
    return settings.stream();
  }

  static Stream<Object[]> examplesAlone() throws IOException {
    return examples().entrySet().stream().map(e -> new Object[] {e.getKey(), e.getValue()});
  }

  private static String page() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Every key of sweep.yaml

            Made from `templates/sweep.schema.json`, which editors and the daemon read too. The expected value of
            each key follows its name. A file with another value is refused, with its place, what was found and
            what was expected.

            A secret is refused anywhere: a value under a key that is named like a secret, a value with the form of
            a token, and the value of any of your variables that is named like a secret. A program should read
            secrets from its job's environment or from a file that it sources; a reference such as `$HF_TOKEN` in
            `workload.command` is allowed.
            """);
    for (Key key : keys()) {
      page.append("\n#")
          .append(key.path().contains(".") ? "##" : "#")
          .append(' ')
          .append(key.heading())
          .append(": ")
          .append(key.title())
          .append("\n\n");
      if (!key.description().isEmpty()) {
        page.append(key.description()).append("\n\n");
      }
      page.append("```yaml\n").append(key.example()).append("```\n");
    }
    return page.toString();
  }

  private static List<Key> keys() throws IOException {
    List<Key> keys = new ArrayList<>();
    JsonNode sweep = JSON.readTree(TEMPLATES.resolve("sweep.schema.json").toFile());
    walk(sweep, "", sweep, examples(), keys);
    return keys;
  }

  private static void walk(
      JsonNode node, String path, JsonNode root, Map<String, String> examples, List<Key> keys)
      throws IOException {
    for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
      JsonNode own = property.getValue();
      JsonNode rules = own.has("$ref") ? followed(own, root) : own;
      String below = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
      keys.add(
          new Key(
              below,
              Optional.empty(),
              rules.path("title").asText(),
              own.path("description").asText(rules.path("description").asText()),
              examples.getOrDefault(below, "")));
      walk(rules, below, root, examples, keys);
      if (rules.path("items").has("$ref")) {
        walk(followed(rules.path("items"), root), below, root, examples, keys);
      }
      if (rules.has("then")) {
        JsonNode other =
            JSON.readTree(TEMPLATES.resolve(rules.path("then").path("$ref").asText()).toFile());
        walk(other, below, other, examples, keys);
      }
      if (rules.path("additionalProperties").path("$ref").asText().endsWith("/profile")) {
        walk(
            followed(rules.path("additionalProperties"), root),
            below + "." + PROFILE,
            root,
            examples,
            keys);
      }
      if (below.equals("workload")) {
        for (String kind : WorkloadSchema.kinds()) {
          addSettings(kind, root, keys);
        }
      }
    }
  }

  private static void addSettings(String kind, JsonNode root, List<Key> keys) throws IOException {
    JsonNode whole = WorkloadSchema.of(kind);
    keys.add(
        new Key(
            "workload",
            Optional.of(kind),
            whole.path("title").asText(),
            whole.path("description").asText(),
            yaml("workload", whole.path("examples").path(0))));
    for (Map.Entry<String, JsonNode> property : whole.path("properties").properties()) {
      String name = property.getKey();
      JsonNode own = property.getValue();
      JsonNode rules = own.has("$ref") ? followed(own, root) : own;
      StringBuilder description = new StringBuilder(own.path("description").asText());
      if (own.has("default")) {
        description.append(" Default `").append(own.path("default").asText()).append("`.");
      }
      if (kind.equals("kernels") && !kernelsWith(name).equals(kernels())) {
        description.append("\n\nKernels: ").append(String.join(", ", kernelsWith(name)));
      }
      keys.add(
          new Key(
              "workload." + name,
              Optional.of(kind),
              own.path("title").asText(rules.path("title").asText()),
              description.toString(),
              own.has("examples")
                  ? yaml("workload", alone(kind, name, own.path("examples").path(0)))
                  : ""));
    }
  }

  /**
   * A workload's settings with one that matters; a kernel's key comes with a kernel that has it.
   */
  private static ObjectNode alone(String kind, String key, JsonNode value) throws IOException {
    ObjectNode settings = JSON.createObjectNode().put("kind", kind);
    if (kind.equals("kernels")) {
      settings.put("kernel", kernelsWith(key).getFirst());
    }
    return settings.set(key, value);
  }

  private static List<String> kernels() throws IOException {
    return WorkloadSchema.choices("kernels", "kernel");
  }

  private static List<String> kernelsWith(String key) throws IOException {
    WorkloadKind kind = Workloads.find("kernels").orElseThrow();
    return kernels().stream()
        .filter(
            kernel -> {
              LinkedHashMap<String, Optional<String>> values = new LinkedHashMap<>();
              values.put(key, Optional.of("1"));
              values.put("kernel", Optional.of(kernel));
              return kind.check(new SweepSettings(new Section(List.of(), values), List.of()))
                  .isEmpty();
            })
        .toList();
  }

  private static String yaml(String key, JsonNode value) throws IOException {
    return YAML.writeValueAsString(JSON.createObjectNode().set(key, value));
  }

  private static JsonNode followed(JsonNode reference, JsonNode root) {
    return root.at(reference.path("$ref").asText().substring(1));
  }

  private static Map<String, String> examples() throws IOException {
    Map<String, String> examples = new LinkedHashMap<>();
    YAML.readTree(Path.of("src/test/resources/sweep-yaml-examples.yaml").toFile())
        .properties()
        .forEach(e -> examples.put(e.getKey(), e.getValue().asText()));
    return examples;
  }
}
