package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.workload.Deployment.Recipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proposed patch in a real bash, sourced as a deployed env file is. */
@Tag("xla")
@Tag("guard")
public class EnvPatchTest {
  static final String AG = "--xla_gpu_all_gather_combine_threshold_bytes";
  static final String OVERLAP = "--xla_gpu_experimental_parallel_collective_overlap_limit";
  static final String PRIORITY = "--xla_gpu_enable_highest_priority_async_stream";

  private static final List<Recipe> RECIPES =
      List.of(
          recipe("FSDP=8", "sparse", Map.of("sparse_matmul", "true"), Map.of(AG, "1073741824")),
          recipe("FSDP=8", "dense", Map.of(), Map.of(AG, "1073741824")),
          recipe(
              "PP=8",
              "sparse",
              Map.of("sparse_matmul", "true"),
              Map.of(OVERLAP, "2", PRIORITY, "true")),
          recipe("PP=8", "dense", Map.of(), Map.of(OVERLAP, "2")));

  @TempDir Path directory;

  @Test
  void theRecipeIsSelectedByTopologyAndConfigTag() throws Exception {
    String patch = new EnvPatch().patch("m-1", RECIPES);
    assertThat(flags(patch, "dcn_fsdp_parallelism: 8\nsparse_matmul: true\n", ""))
        .isEqualTo("--xla_image=1 " + AG + "=1073741824");
    assertThat(flags(patch, "dcn_pipeline_parallelism: 8 # stages\n", ""))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=2");
    assertThat(flags(patch, "dcn_pipeline_parallelism: 8\nsparse_matmul: \"True\"\n", ""))
        .isEqualTo("--xla_image=1 " + PRIORITY + "=true " + OVERLAP + "=2");
  }

  @Test
  void whatTheConfigurationInheritsCountsAsItsOwn() throws Exception {
    String patch = new EnvPatch().patch("m-1", RECIPES);
    Files.writeString(
        directory.resolve("parent.yml"),
        "base_config: 'm-1.gpu.yml' # a circle\ndcn_pipeline_parallelism: 8\nsparse_matmul: true");
    assertThat(flags(patch, "base_config: parent.yml\nsparse_matmul: false\n", ""))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=2");
    assertThat(flags(patch, "base_config: parent.yml\ndcn_pipeline_parallelism: 1\n", ""))
        .isEqualTo("--xla_image=1");
    Files.move(directory.resolve("parent.yml"), directory.resolve("a parent#1.yml"));
    assertThat(flags(patch, "base_config:  \"a parent#1.yml\"  # ours\nsparse_matmul: false\n", ""))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=2");
    assertThat(flags(patch, "base_config: base.yml\ndcn_pipeline_parallelism: 8", ""))
        .as("MaxText's own")
        .isEqualTo("--xla_image=1 " + OVERLAP + "=2");
  }

  @Test
  void passthroughArgumentsOverrideTheConfig() throws Exception {
    String patch = new EnvPatch().patch("m-1", RECIPES);
    String yml =
        "dcn_fsdp_parallelism: 8\ndcn_pipeline_parallelism: 1\nici_pipeline_parallelism: 1\nsparse_matmul: false\n";
    String pp = "dcn_pipeline_parallelism=8 dcn_fsdp_parallelism=1";
    assertThat(flags(patch, yml, "steps=15 " + pp + " sparse_matmul=true"))
        .contains(OVERLAP, PRIORITY)
        .doesNotContain(AG);
    assertThat(
            flags(
                patch,
                "dcn_pipeline_parallelism: 8\n",
                "dcn_pipeline_parallelism=1 dcn_fsdp_parallelism=8"))
        .contains(AG)
        .doesNotContain(OVERLAP);
  }

  @Test
  void sourcedTwiceItAddsNothingAndALaterOverrideIsOverriddenAgain() throws Exception {
    String patch = new EnvPatch().patch("m-1", RECIPES);
    String yml = "dcn_pipeline_parallelism: 8\n";
    assertThat(run(patch, yml, "", "--xla_image=1", "source \"$1\"; source \"$1\""))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=2");
    assertThat(run(patch, yml, "", OVERLAP + "=2 " + OVERLAP + "=8", "source \"$1\""))
        .isEqualTo(OVERLAP + "=2 " + OVERLAP + "=8 " + OVERLAP + "=2");
  }

  /** The image without the file's settings: the file must end before it sets them. */
  @Test
  void whereTheImagesDefaultsAreBestTheFileEndsAtItsTop() throws Exception {
    List<Recipe> recipes =
        List.of(
            RECIPES.get(0),
            RECIPES.get(1),
            RECIPES.get(2),
            new Recipe(
                "PP=8",
                "dense",
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(Map.of(OVERLAP, "4")),
                new TreeMap<>(),
                true));
    String file =
        new EnvPatch().top("m-1", recipes).orElseThrow()
            + "export XLA_FLAGS=\"$XLA_FLAGS --xla_of_the_file=1\"\n"
            + new EnvPatch().patch("m-1", recipes);
    assertThat(flags(file, "dcn_pipeline_parallelism: 8\n", ""))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=4");
    assertThat(flags(file, "dcn_pipeline_parallelism: 8\nsparse_matmul: true\n", ""))
        .isEqualTo("--xla_image=1 --xla_of_the_file=1 " + PRIORITY + "=true " + OVERLAP + "=2");
    assertThat(flags(file, "dcn_fsdp_parallelism: 8\n", ""))
        .isEqualTo("--xla_image=1 --xla_of_the_file=1 " + AG + "=1073741824");
    assertThat(new EnvPatch().top("m-1", RECIPES)).isEmpty();
  }

  /** Cells that cannot be distinguished at run time. */
  @Test
  void aCellOfNoKnownAxisIsNotGuarded() throws Exception {
    Recipe kernels =
        new Recipe(
            "ranks=2", "1MiB", new TreeMap<>(), new TreeMap<>(), new TreeMap<>(Map.of("K", "a b")));
    String patch = new EnvPatch().patch("allreduce", List.of(kernels));
    assertThat(patch).contains("export K='a b'\n").doesNotContain("gpu.yml", "XLA_FLAGS");
    assertThat(run(patch, "", "", "", "source \"$1\"; printf %s \"$K\"")).isEqualTo("a b");
  }

  @Test
  void whateverValuesHoldTheyAreDataAndNoConfigIsNoError() throws Exception {
    Path canary = directory.resolve("canary");
    Recipe hostile =
        new Recipe(
            "FSDP=8",
            "x\n touch " + canary,
            new TreeMap<>(),
            new TreeMap<>(Map.of("--xla_a", "$(touch " + canary + ")")),
            new TreeMap<>(Map.of("NCCL_X", "'; touch " + canary + " #", "bad name; touch x", "1")));
    // XLA splits its flags at blanks, so a value with blanks is quoted.
    assertThat(
            flags(new EnvPatch().patch("m-1", List.of(hostile)), "dcn_fsdp_parallelism: 8\n", ""))
        .contains("--xla_a='$(touch " + canary + ")'");
    assertThat(canary).doesNotExist();
    assertThat(flags(new EnvPatch().patch("m-1", List.of()), "", "")).isEqualTo("--xla_image=1");
    Files.deleteIfExists(directory.resolve("m-1.gpu.yml"));
    // Without a configuration the topology is unknown.
    assertThat(flags(new EnvPatch().patch("m-1", RECIPES), "", "")).isEqualTo("--xla_image=1");
  }

  /** Each recipe applies to its own topology, whichever recipes are beside it. */
  @Test
  @Tag("shipped")
  void everyTopologyHasARecipeOfItsOwn() throws Exception {
    List<Recipe> recipes =
        List.of(
            recipe("PP=8", "t", Map.of(), Map.of(OVERLAP, "2")),
            recipe("PP=4,FSDP=2", "t", Map.of(), Map.of(OVERLAP, "4")),
            recipe("FSDP=8", "t", Map.of(), Map.of(AG, "1073741824")),
            recipe("FSDP=4,TP=8", "t", Map.of(), Map.of(AG, "536870912")),
            recipe("DP=8", "t", Map.of(), Map.of(PRIORITY, "true")));
    String patch = new EnvPatch().patch("m-1", recipes);
    assertThat(flags(patch, "dcn_pipeline_parallelism: 8\n", ""))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=2");
    assertThat(flags(patch, "dcn_pipeline_parallelism: 8\n", PP4_FSDP2))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=4");
    assertThat(
            flags(
                patch,
                "dcn_fsdp_parallelism: -1\ndcn_data_parallelism: 1\n",
                "dcn_pipeline_parallelism=4"))
        .isEqualTo("--xla_image=1 " + OVERLAP + "=4");
    assertThat(flags(patch, "dcn_fsdp_parallelism: 8\n", "")).contains(AG + "=1073741824");
    assertThat(
            flags(
                patch,
                "dcn_fsdp_parallelism: 4\ndcn_data_parallelism: 1\nici_tensor_parallelism: 8\n",
                ""))
        .isEqualTo("--xla_image=1 " + AG + "=536870912");
    assertThat(flags(patch, "dcn_fsdp_parallelism: 1\n", "dcn_data_parallelism=8"))
        .isEqualTo("--xla_image=1 " + PRIORITY + "=true");
    // Topologies without measurements.
    for (String passthrough :
        List.of(
            "ici_tensor_parallelism=8",
            "ici_expert_parallelism=8",
            "ici_context_parallelism=2",
            "dcn_fsdp_parallelism=4",
            "dcn_fsdp_parallelism=1 dcn_data_parallelism=4",
            "dcn_fsdp_parallelism=1 dcn_pipeline_parallelism=4")) {
      assertThat(flags(patch, "dcn_fsdp_parallelism: 8\n", passthrough))
          .as(passthrough)
          .isEqualTo("--xla_image=1");
    }
  }

  /** The model's configuration may contain axes that the cell's name omits. */
  @Test
  @Tag("shipped")
  void anAxisThatTheCellDoesNotNameIsGuardedAsItWasMeasured() throws Exception {
    Recipe recipe =
        new Recipe(
            "FSDP=8",
            "t",
            new TreeMap<>(
                Map.of(
                    "ici_expert_parallelism", "8",
                    "ici_fsdp_parallelism", "1",
                    "ici_tensor_parallelism", "-1")),
            new TreeMap<>(),
            new TreeMap<>(Map.of(AG, "1073741824")),
            new TreeMap<>(),
            false);
    String patch = new EnvPatch().patch("m-1", List.of(recipe));
    String yml = "dcn_fsdp_parallelism: 8\nici_fsdp_parallelism: 1\nici_tensor_parallelism: -1\n";
    assertThat(flags(patch, yml + "ici_expert_parallelism: 8\n", "")).contains(AG);
    assertThat(flags(patch, yml, "")).doesNotContain(AG);
  }

  /**
   * A recipe for FSDP between nodes, under configurations from which MaxText makes another mesh.
   */
  @ParameterizedTest
  @Tag("shipped")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      true  | dcn_fsdp_parallelism: 8 |
      true  | dcn_fsdp_parallelism: -1, dcn_data_parallelism: 1 |
      true  | dcn_fsdp_parallelism: 8, dcn_data_parallelism: -1 |
      true  | dcn_fsdp_parallelism: 8, dcn_data_parallelism: -1, ici_fsdp_parallelism: -1, ici_tensor_parallelism: 1 |
      true  | dcn_fsdp_parallelism: 4 | dcn_fsdp_parallelism=8
      false | dcn_fsdp_parallelism: 8 | M_DCN_FSDP_PARALLELISM
      false | dcn_fsdp_parallelism: 8 | NNODES=16
      false | dcn_fsdp_parallelism: 8 | NNODES=
      false | |
      false | dcn_fsdp_parallelism: 4 |
      false | dcn_fsdp_parallelism: -1, dcn_data_parallelism: -1 |
      false | dcn_fsdp_parallelism: -1, dcn_data_parallelism: 2 |
      false | dcn_fsdp_parallelism: -1, dcn_data_parallelism: 1, dcn_tensor_parallelism: 2 |
      false | dcn_fsdp_parallelism: -1, dcn_data_parallelism: 1, dcn_pipeline_parallelism: 2 |
      false | dcn_fsdp_parallelism: 3 |
      false | dcn_fsdp_parallelism: 8, ici_data_parallelism: 8 |
      false | dcn_fsdp_parallelism: 8, ici_data_parallelism: -1, ici_fsdp_parallelism: 1 |
      false | dcn_fsdp_parallelism: 8, ici_fsdp_parallelism: 4 |
      false | dcn_fsdp_parallelism: 8, ici_tensor_parallelism: -1, ici_fsdp_parallelism: 1 |
      false | dcn_fsdp_parallelism: 8, ici_tensor_transpose_parallelism: 2 |
      false | dcn_fsdp_parallelism: 8, ici_context_autoregressive_parallelism: 2 |
      false | dcn_fsdp_parallelism: 8, dcn_diloco_parallelism: 2 |
      false | dcn_fsdp_parallelism: 8, dcn_axis_of_a_later_maxtext_parallelism: 2 |
      false | dcn_fsdp_parallelism: 8 | ici_sequence_parallelism=2
      false | dcn_fsdp_parallelism: 8 | ici_fsdp_parallelism=$(x)
      false | dcn_fsdp_parallelism: 08 |
      """)
  void aRecipeHoldsOnTheMeshThatItWasMeasuredOn(boolean holds, String yml, String more)
      throws Exception {
    Recipe fsdp =
        new Recipe(
            "FSDP=8",
            "t",
            new TreeMap<>(Map.of("dcn_data_parallelism", "-1", "dcn_fsdp_parallelism", "8")),
            new TreeMap<>(),
            new TreeMap<>(Map.of(AG, "1")),
            new TreeMap<>(),
            false);
    String config = yml == null ? "" : yml.replace(", ", "\n") + "\n";
    String given = more == null ? "" : more;
    boolean variable = given.matches("[A-Z_].*");
    String script =
        (variable ? "export " + given + (given.contains("=") ? "" : "=4") + "; " : "")
            + "source \"$1\"";
    assertThat(
            run(
                new EnvPatch().patch("m-1", List.of(fsdp)),
                "# none\n" + config,
                variable ? "" : given,
                "--xla_image=1",
                script))
        .isEqualTo("--xla_image=1" + (holds ? " " + AG + "=1" : ""));
  }

  /**
   * A key is never code: a recipe with one that could be has no possible condition, and is left
   * out.
   */
  @Test
  @Tag("shipped")
  void aConfigTagsKeyIsNoCode() throws Exception {
    Path canary = directory.resolve("canary");
    for (String key :
        List.of(
            "x//;1e touch " + canary + " #",
            "x\n1e touch " + canary,
            "$(touch " + canary + ")",
            "a b",
            "")) {
      Recipe hostile = recipe("FSDP=8", "t", Map.of(key, ""), Map.of(AG, "1"));
      Recipe plain = recipe("FSDP=8", "u", Map.of("sparse_matmul", "true"), Map.of(AG, "2"));
      String yml = "dcn_fsdp_parallelism: 8\nsparse_matmul: true\n";
      assertThat(flags(new EnvPatch().patch("m-1", List.of(hostile, plain)), yml, ""))
          .isEqualTo("--xla_image=1 " + AG + "=2");
      assertThat(flags(new EnvPatch().patch("m-1", List.of(hostile)), yml, ""))
          .isEqualTo("--xla_image=1");
      assertThat(canary).doesNotExist();
    }
  }

  private static final String PP4_FSDP2 = "dcn_pipeline_parallelism=4 dcn_fsdp_parallelism=2";

  private String flags(String patch, String yml, String passthrough) throws Exception {
    return run(patch, yml, passthrough, "--xla_image=1", "source \"$1\"");
  }

  private String run(String patch, String yml, String passthrough, String before, String script)
      throws Exception {
    return sourced(directory, "m-1", patch, yml, passthrough, before, script);
  }

  /**
   * The XLA_FLAGS after sourcing, by {@code bash -euo pipefail}; {@code bash -n} accepts it too.
   */
  public static String sourced(
      Path directory,
      String model,
      String patch,
      String yml,
      String passthrough,
      String before,
      String script)
      throws Exception {
    Path env = Files.writeString(directory.resolve(model + ".env.sh"), patch);
    if (!yml.isEmpty()) {
      Files.writeString(directory.resolve(model + ".gpu.yml"), yml);
    }
    assertThat(bash(Map.of(), "-n", env.toString())).isEmpty();
    return bash(
        Map.of("PASSTHROUGH_ARGS", passthrough, "XLA_FLAGS", before, "NNODES", "8"),
        "-euo",
        "pipefail",
        "-c",
        script + "; printf %s \"$XLA_FLAGS\"",
        "bash",
        env.toString());
  }

  private static String bash(Map<String, String> environment, String... arguments)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add("bash");
    builder.command().addAll(List.of(arguments));
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private static Recipe recipe(
      String parallelism, String tag, Map<String, String> when, Map<String, String> flags) {
    return new Recipe(parallelism, tag, new TreeMap<>(when), new TreeMap<>(flags), new TreeMap<>());
  }
}
