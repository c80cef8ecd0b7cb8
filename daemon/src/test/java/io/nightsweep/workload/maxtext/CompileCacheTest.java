package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a job stores compiled programs, and which jobs find them there. */
@Tag("hours")
@Tag("slow")
class CompileCacheTest {
  @TempDir private Path checkout;

  @BeforeEach
  void checkout() throws Exception {
    Files.createDirectories(checkout.resolve("configs"));
    Files.writeString(checkout.resolve("configs/ds.gpu.yml"), "per_device_batch_size: 7\n");
    Path installed = Files.createDirectories(checkout.resolve("src/maxtext/configs"));
    Files.writeString(installed.resolve("base.yml"), "jax_cache_dir: \"~/jax_cache\"\n");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # profile,         purpose,         run, MaxText's and the sweep file's, what
          baseline-deployed, CONTROL,         1, '',                              FILL
          baseline-deployed, CONTROL,         2, '',                              USE
          own-nccl,          SCREEN,          1, '',                              FILL
          own-nccl,          SCREEN,          3, '',                              USE
          baseline-deployed, PROBE,           1, '',                              AS_IT_IS
          baseline-deployed, EVIDENCE,        1, '',                              OFF
          own-nccl,          CONFIRM,         2, '',                              AS_IT_IS
          baseline-deployed, CONFIRM_CONTROL, 2, '',                              AS_IT_IS
          own-nccl,          CROSS_CHECK,     2, '',                              AS_IT_IS
          own-nccl,          VALIDATE,        1, '',                              AS_IT_IS
          own-nccl,          SCREEN,          2, 'compileOnce: false',            AS_IT_IS
          ag-1G,             SCREEN,          1, 'compileOnce: false',            OFF
          own-nccl,          SCREEN,          2, 'jax_cache_dir: mine',          AS_IT_IS
          ag-1G,             SCREEN,          1, 'jax_cache_dir: mine',          OFF
          ag-1G,             SCREEN,          2, 'jax_cache_dir: mine',          AS_IT_IS
          own-nccl,          SCREEN,          2, 'env: {JAX_COMPILATION_CACHE_DIR: /mine}', AS_IT_IS
          baseline-deployed, EVIDENCE,        1, 'env: {JAX_ENABLE_COMPILATION_CACHE: true}', AS_IT_IS
          own-cache,         SCREEN,          2, '',                              AS_IT_IS
          """)
  void theDecisionTable(
      String profile, Purpose purpose, int repetition, String more, CompileCache what)
      throws Exception {
    assertThat(rendering(PackedCell.request(checkout, more, profile, purpose, repetition)).cache())
        .isEqualTo(what);
  }

  @Test
  void aModelWithItsOwnFolderKeepsIt() throws Exception {
    Files.writeString(
        checkout.resolve("configs/ds.gpu.yml"),
        "per_device_batch_size: 7\njax_cache_dir: /shared/cache\n");
    assertThat(rendering(PackedCell.request(checkout, "", "own-nccl", Purpose.SCREEN, 2)).cache())
        .isEqualTo(CompileCache.AS_IT_IS);
  }

  /** The block's own bash, sourced as by the launcher. */
  @Test
  void theTrainingIsToldTheFolderOfItsProfileWhichTheFirstRunEmpties() throws Exception {
    Workload.LaunchRequest first = PackedCell.request(checkout, "", "own-nccl", Purpose.SCREEN, 1);
    Workload.LaunchRequest second = PackedCell.request(checkout, "", "own-nccl", Purpose.SCREEN, 2);
    String user = MaxTextLab.run(List.of("id", "-u")).strip();
    Path folder =
        checkout.resolve(
            ".nightsweep-cache-" + user + "/ns-s/" + first.profile().hash() + "-default");
    Path left = Files.createDirectories(folder).resolve("jit_train_step-1-cache");

    Files.writeString(left, "of a job that failed");
    assertThat(passed(second, "")).containsExactly("steps=15", "jax_cache_dir=" + folder);
    assertThat(left).exists();
    assertThat(passed(first, "NODE_RANK=1\n")).contains("jax_cache_dir=" + folder);
    assertThat(left).as("another rank empties nothing").exists();
    assertThat(passed(first, "")).contains("jax_cache_dir=" + folder);
    assertThat(left).doesNotExist();
    assertThat(folder).isDirectory();

    assertThat(passed(second, "export JAX_COMPILATION_CACHE_DIR=/theirs\n"))
        .as("what is deployed has a folder of its own")
        .containsExactly("steps=15");
    Files.writeString(checkout.resolve("src/maxtext/configs/base.yml"), "steps: 1\n");
    assertThat(passed(second, "")).as("a MaxText without it").containsExactly("steps=15");
  }

  /** A user with write access could make the job run any code. */
  @Test
  void aFolderOfAnotherUserIsNotUsed() throws Exception {
    assumeThat(MaxTextLab.run(List.of("id", "-u")).strip()).isEqualTo("0");
    Path theirs = Files.createDirectories(checkout.resolve(".nightsweep-cache-0"));
    MaxTextLab.run(List.of("chown", "12345", theirs.toString()));
    for (int run = 1; run <= 2; run++) {
      assertThat(passed(PackedCell.request(checkout, "", "own-nccl", Purpose.SCREEN, run), ""))
          .containsExactly("steps=15");
    }
  }

  @Test
  void profilesAndTagsShareNothing() throws Exception {
    assertThat(
            List.of(
                script(PackedCell.request(checkout, "", "own-nccl", Purpose.SCREEN, 2)),
                script(PackedCell.request(checkout, "", "ag-1G", Purpose.SCREEN, 2)),
                script(PackedCell.request(checkout, "", "baseline-deployed", Purpose.CONTROL, 2))))
        .doesNotHaveDuplicates();
  }

  private static Rendering rendering(Workload.LaunchRequest request) throws Exception {
    MaxTextSettings settings = MaxTextSettings.of(request.spec());
    return Rendering.of(request, settings, ModelFiles.config(settings.checkout(), "ds"));
  }

  private static String script(Workload.LaunchRequest request) throws Exception {
    return rendering(request).cache().script(request);
  }

  private List<String> passed(Workload.LaunchRequest request, String before) throws Exception {
    return MaxTextLab.run(
            List.of(
                "env",
                "-i",
                "PATH=/usr/bin:/bin",
                "OUTPUT_PATH=" + checkout + "/7-JAX",
                "bash",
                "-c",
                "cd '"
                    + checkout
                    + "'\n"
                    + before
                    + "PASSTHROUGH_ARGS=(steps=15)\n{\n"
                    + InstalledMaxText.script(new TreeMap<>(), script(request))
                    + "} >/dev/null\nprintf '%s\\n' \"${PASSTHROUGH_ARGS[@]}\""))
        .lines()
        .toList();
  }

  /** A link may lead to a folder of the job's own user to which others can write. */
  @Test
  @Tag("guard")
  void aFolderThatIsALinkIsNeitherUsedNorEmptied() throws Exception {
    String user = MaxTextLab.run(List.of("id", "-u")).strip();
    Workload.LaunchRequest first = PackedCell.request(checkout, "", "own-nccl", Purpose.SCREEN, 1);
    Path own = Files.createDirectories(checkout.resolve("own"));
    Path kept =
        Files.createDirectories(own.resolve("ns-s/" + first.profile().hash() + "-default"))
            .resolve("kept");
    Files.writeString(kept, "of mine");
    Path link = checkout.resolve(".nightsweep-cache-" + user);
    Files.createSymbolicLink(link, own);
    assertThat(passed(first, "")).containsExactly("steps=15");
    assertThat(kept).exists();
    Files.delete(link);
    Files.createDirectory(link);
    Files.createSymbolicLink(link.resolve("ns-s"), own.resolve("ns-s"));
    assertThat(passed(first, "")).containsExactly("steps=15");
    assertThat(kept).exists();
  }
}
