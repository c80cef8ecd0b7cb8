package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The settings of a MaxText, from a probe job that queries the installed one or from its checkout;
 * and whether it has the module that the launcher calls.
 */
@Tag("xla")
class KnownSettingsTest extends LauncherCheckout {
  private static final String PYDANTIC = "from pydantic import BaseModel\n";
  private static final String MAIN = "import jax\n\n\ndef main(argv):\n  pass\n";
  private static final String SHIM = "if __name__ == '__main__':\n  _new_module.main(sys.argv)\n";

  private static final String EITHER =
      """
      try:
          from maxtext.trainers.pre_train import train as maxtext_train
      except ImportError:
          from MaxText import train as maxtext_train
      """;

  private Path job = Path.of("");

  @BeforeEach
  void makeAMaxText() throws IOException {
    job = Files.createDirectories(folder.resolve("job"));
    maxtext("src/MaxText/configs/base.yml", "# x_y: 1\nsteps: 15\nremat_policy: 'full'\n");
    maxtext("src/MaxText/train.py", MAIN);
    Path python = folder.resolve("bin/python3");
    Files.createDirectories(python.getParent());
    Files.writeString(python, "#!/bin/bash\n[[ $2 != *probed* ]] || echo 'nightsweep: probed 2'\n");
    assertThat(python.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void theProbeAndAReaderOfTheCheckoutFindTheSame() throws Exception {
    assertThat(both()).as("before pydantic").containsExactly("remat_policy", "steps");
    maxtext("src/MaxText/pyconfig.py", PYDANTIC);
    maxtext(
        "src/MaxText/configs/types.py",
        "class A(BaseModel):\n  only_here: int = Field(1)\n  steps: int\n    inner_word: 3\n");
    assertThat(both()).containsExactly("only_here", "remat_policy", "steps");
    // Since 6 February 2026 configurations are elsewhere, and since 20 February everything else.
    Files.createDirectories(job.resolve("src/maxtext"));
    Files.move(job.resolve("src/MaxText/configs"), job.resolve("src/maxtext/configs"));
    assertThat(both()).containsExactly("only_here", "remat_policy", "steps");
  }

  @Test
  void nothingIsKnownWhereTheFieldsStandElsewhere() throws Exception {
    maxtext("src/MaxText/configs/pyconfig.py", PYDANTIC);
    assertThat(both()).isEmpty();
  }

  @Test
  void moreSettingsThanALineHolds() throws Exception {
    StringBuilder base = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      base.append("setting_%03d: 1%n".formatted(i));
    }
    maxtext("src/MaxText/configs/base.yml", base.toString());
    assertThat(both()).hasSize(100);
    String said = probe("NODE_RANK=0");
    int line = said.indexOf(SettingLines.NAMES, said.indexOf(SettingLines.NAMES) + 1);
    assertThat(read(said.substring(0, line) + said.substring(said.indexOf('\n', line) + 1)))
        .as("a line is missing")
        .isEmpty();
    assertThat(read(said.substring(0, said.indexOf(SettingLines.COUNT)))).isEmpty();
    assertThat(read(said.replaceAll("(?m)^", "+ echo "))).as("a shell's trace").isEmpty();
    assertThat(read(probe("NODE_RANK=1"))).as("another node says the same").isEmpty();
  }

  @Test
  void aMaxTextWithoutTheMainThatTheLauncherCallsEndsTheProbe() throws Exception {
    String call = "def main():\n    from MaxText import train as maxtext_train\n";
    assertThat(probe("NODE_RANK=0")).contains("nightsweep: probed 2");
    write("utils/monkey_patch_maxtext.py", call);
    assertThat(probe("NODE_RANK=0")).as("the module of this release").contains("probed 2");
    Files.createDirectories(job.resolve("src/maxtext"));
    Files.move(job.resolve("src/MaxText/configs"), job.resolve("src/maxtext/configs"));
    assertThat(probe("NODE_RANK=0")).as("of February 2026").contains("probed 2");
    maxtext("src/MaxText/train.py", SHIM);
    String gone =
        "nightsweep: the launcher calls main of MaxText.train, which the installed MaxText does not"
            + " have";
    assertThat(probe("NODE_RANK=0")).contains(gone, "exit 1").doesNotContain("probed");
    Files.delete(job.resolve("src/MaxText/train.py"));
    assertThat(probe("NODE_RANK=0")).contains(gone).doesNotContain("probed");
    write("utils/monkey_patch_maxtext.py", call.replace("MaxText", "maxtext.trainers.pre_train"));
    assertThat(probe("NODE_RANK=0")).as("another launcher").contains("probed 2");
    write("utils/monkey_patch_maxtext.py", EITHER);
    assertThat(probe("NODE_RANK=0")).as("a launcher of both").contains("probed 2");
    assertThat(new LauncherScripts(checkout).callsMain()).isFalse();
    write("utils/another.py", call);
    assertThat(probe("NODE_RANK=0")).as("each script by itself").contains(gone);
    assertThat(new LauncherScripts(checkout).callsMain()).isTrue();
    Files.delete(checkout.resolve("utils/another.py"));
    maxtext("src/maxtext/configs/base.yml", "");
    write("utils/monkey_patch_maxtext.py", call);
    assertThat(probe("NODE_RANK=0")).as("no MaxText is found").contains("probed 2");
  }

  private Set<String> both() throws Exception {
    TreeSet<String> asked = new TreeSet<>(read(probe("NODE_RANK=0")));
    Set<String> found = MaxTextSource.of(job).orElseThrow().settings();
    if (!found.isEmpty()) {
      assertThat(asked).contains("base_config", "ici_fsdp_parallelism");
      asked.removeAll(MaxTextSource.always(ModelFiles.config(checkout, "tiny")));
    }
    assertThat(asked).isEqualTo(found);
    return found;
  }

  private Set<String> read(String said) throws IOException {
    Path log = Files.writeString(folder.resolve("probe.log"), said);
    Workload.WorkloadReading reading = workload.read(request(Map.of()), new JobLog(log));
    return reading.knownSettings();
  }

  /** Sourced as the launcher sources the model's env file; the exit code follows the output. */
  private String probe(String variable) throws Exception {
    List<String> always = MaxTextSource.always(ModelFiles.config(checkout, "tiny"));
    write("configs/tiny.env.sh", EnvBlock.probe("", Map.of("--xla_a", "1"), always));
    ProcessBuilder bash =
        new ProcessBuilder(
            "bash", "-euo", "pipefail", "-c", "source " + checkout + "/configs/tiny.env.sh");
    bash.environment().put("PATH", folder.resolve("bin") + ":" + bash.environment().get("PATH"));
    bash.environment().put(variable.split("=")[0], variable.split("=")[1]);
    Process process = bash.directory(job.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said + "exit " + process.waitFor() + "\n";
  }

  private void maxtext(String name, String text) throws IOException {
    Path file = job.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
