package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.Shell;
import io.nightsweep.report.Phrases;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An image in a file is looked up where the jobs will look: real bash, on stand-ins for machines.
 */
@Tag("shipped")
class ImageFileTest {
  private static final String IMAGE = "/nodes/only/jax's.tar";

  @TempDir Path folder;

  @Test
  void theNodesFileSystemCountsAndNotTheDaemons() throws Exception {
    Path here = Files.writeString(folder.resolve("jax.tar"), "layers");
    assertThat(missing(IMAGE, here, true)).as("the nodes alone have it").isEmpty();
    assertThat(missing(here.toString(), Path.of(IMAGE), true))
        .as("the daemon's machine alone has it")
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.fatal()).isTrue();
              assertThat(Phrases.EN.text(p.found()))
                  .startsWith("n1 cannot read the image " + here + "; df of the existing part")
                  .as("size, use and mount of the root, the nearest folder that is there")
                  .matches(".*: \\S+ +[0-9.]+\\S? .* [0-9]+% /");
            });
  }

  /** If nodes accept no ssh without a job, the submitting machine is checked, as people do. */
  @Test
  void whereNoNodeCanBeAskedTheMachineThatSubmitsIs() throws Exception {
    assertThat(missing(folder.resolve("none/jax.tar").toString(), folder, false))
        .extracting(p -> Phrases.EN.text(p.found()))
        .first()
        .asString()
        .startsWith("the machine that submits cannot read the image ");
    Path here = Files.writeString(folder.resolve("jax.tar"), "layers");
    assertThat(missing(here.toString(), folder, false))
        .noneMatch(p -> Phrases.EN.text(p.found()).contains("image"));
  }

  @Test
  void everyNodeIsAskedAndNotTheFirstAlone() throws Exception {
    Files.writeString(folder.resolve("_container.sh"), "");
    Files.writeString(folder.resolve("container_env.sh"), "DOCKER_IMAGE=an/image:1\n");
    CommandRunner machines =
        (words, timeout) ->
            new CommandRunner.Output(
                words.get(words.size() - 2).equals("n2") ? JobImage.NO_ENGINE : 0, "", "");
    assertThat(
            LauncherHosts.missing(folder, JobImage.of(folder), List.of("n1", "n2", "n3"), machines))
        .extracting(p -> Phrases.EN.text(p.found()))
        .containsExactly("the job runs in a container, and n2 has neither podman nor docker");
  }

  /**
   * @param there what the nodes have at the image's path
   */
  private List<SetupProblem> missing(String image, Path there, boolean reachable) throws Exception {
    Files.writeString(folder.resolve("_container.sh"), "");
    Files.writeString(folder.resolve("container_env.sh"), "DOCKER_IMAGE=\"" + image + "\"\n");
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path docker = Files.writeString(bin.resolve("docker"), "");
    assertThat(docker.toFile().setExecutable(true)).isTrue();
    CommandRunner direct = CommandRunner.direct(Map.of("PATH", bin + ":" + System.getenv("PATH")));
    CommandRunner machines =
        (words, timeout) ->
            !words.getFirst().equals("ssh")
                ? direct.run(words, timeout)
                : reachable
                    ? direct.run(
                        List.of(
                            "bash",
                            "-c",
                            words.getLast().replace(quoted(image), quoted(there.toString()))),
                        timeout)
                    : new CommandRunner.Output(255, "", "Permission denied");
    return LauncherHosts.missing(folder, JobImage.of(folder), List.of("n1", "n2"), machines);
  }

  private static String quoted(String path) {
    return Shell.quote(path);
  }
}
