package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The reference page of {@code sweep.yaml} is made of the schema and of an example for each key.
 * Run with {@code -Dnightsweep.reference=write} to write it anew.
 */
@Tag("people")
class ReferencePageTest {
  private static final Path PAGE = Path.of("docs/sweep-yaml.md");
  private static final Path TEMPLATES = Path.of("../templates");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROFILE = "NAME";

  /** The example of {@code until} is a time of the next morning, whenever the test runs. */
  private static final ZonedDateTime EVENING =
      ZonedDateTime.of(2026, 1, 1, 20, 0, 0, 0, ZoneOffset.UTC);

  /** What an example needs around it to be a whole sweep. */
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

  private record Key(String path, String title, String description) {}

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
        .containsExactlyInAnyOrderElementsOf(keys().stream().map(Key::path).toList());
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
          "workload: {kind: command, command: \"true\", pattern: '(?<step>\\d+) (?<value>\\d+)', steps: 3}");
    }
    assertThat(
            SweepFile.parse("sweep.yaml", file.toString(), Resources.beside(Path.of("sweep.yaml")))
                .onPaper(EVENING))
        .isNotNull();
  }

  static Stream<Object[]> examplesAlone() throws IOException {
    return examples().entrySet().stream().map(e -> new Object[] {e.getKey(), e.getValue()});
  }

  private static String page() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Every key of sweep.yaml

            Made from `templates/sweep.schema.json`, which editors and the daemon read too. What a key expects
            stands behind its name; a file that says something else is refused with the place, what was found
            and what was expected.

            A secret is refused wherever it stands: a value under a key that is named like one, one with the form of
            a token, and one that a variable of yours named like a secret holds. A program reads it from its job's
            environment or from a file that it sources; `$HF_TOKEN` in `workload.command` is a reference and may stand.

            `workload` has further keys by its kind: see the starting files that `nightsweep init --workload KIND`
            writes ([command](../../templates/sweep.command.yaml), [maxtext](../../templates/sweep.maxtext.yaml),
            [kernels](../../templates/sweep.kernels.yaml)).
            """);
    Map<String, String> examples = examples();
    for (Key key : keys()) {
      page.append("\n#")
          .append(key.path().contains(".") ? "##" : "#")
          .append(" `")
          .append(key.path())
          .append("`: ")
          .append(key.title())
          .append("\n\n");
      if (!key.description().isEmpty()) {
        page.append(key.description()).append("\n\n");
      }
      page.append("```yaml\n").append(examples.getOrDefault(key.path(), "")).append("```\n");
    }
    return page.toString();
  }

  private static List<Key> keys() throws IOException {
    List<Key> keys = new ArrayList<>();
    JsonNode sweep = JSON.readTree(TEMPLATES.resolve("sweep.schema.json").toFile());
    walk(sweep, "", sweep, keys);
    return keys;
  }

  private static void walk(JsonNode node, String path, JsonNode root, List<Key> keys)
      throws IOException {
    for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
      JsonNode own = property.getValue();
      JsonNode rules = own.has("$ref") ? followed(own, root) : own;
      String below = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
      keys.add(
          new Key(
              below,
              rules.path("title").asText(),
              own.path("description").asText(rules.path("description").asText())));
      walk(rules, below, root, keys);
      if (rules.path("items").has("$ref")) {
        walk(followed(rules.path("items"), root), below, root, keys);
      }
      if (rules.has("then")) {
        JsonNode other =
            JSON.readTree(TEMPLATES.resolve(rules.path("then").path("$ref").asText()).toFile());
        walk(other, below, other, keys);
      }
      if (rules.path("additionalProperties").path("$ref").asText().endsWith("/profile")) {
        walk(followed(rules.path("additionalProperties"), root), below + "." + PROFILE, root, keys);
      }
    }
  }

  private static JsonNode followed(JsonNode reference, JsonNode root) {
    return root.at(reference.path("$ref").asText().substring(1));
  }

  private static Map<String, String> examples() throws IOException {
    Map<String, String> examples = new LinkedHashMap<>();
    new ObjectMapper(new YAMLFactory())
        .readTree(Path.of("src/test/resources/sweep-yaml-examples.yaml").toFile())
        .properties()
        .forEach(e -> examples.put(e.getKey(), e.getValue().asText()));
    return examples;
  }
}
