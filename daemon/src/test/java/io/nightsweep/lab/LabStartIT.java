package io.nightsweep.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a lab finds out whether the processes that it started are alive. */
class LabStartIT {
  private static final Path STATE = Path.of("target", "slow-lab").toAbsolutePath();

  @TempDir private Path folder;

  /**
   * A process shows the mark of its lab only once its first program runs, which a busy machine
   * delays.
   */
  @Test
  void aControllerThatShowsNoMarkYetIsNotTakenForDead() throws Exception {
    program(
        "grep",
        """
        [[ $* != *NIGHTSWEEP_LAB_PROCESS*:slurmctld?* ]] || exit 1
        exec /bin/grep "$@"
        """);
    program("slurmctld", "sleep 1; PATH=${PATH#*:}; exec slurmctld \"$@\"\n");
    try {
      assertThat(lab(folder + ":" + System.getenv("PATH"), "up", "--nodes", "1"))
          .contains("lab: up in ")
          .doesNotContain("did not start");
    } finally {
      assertThat(lab(System.getenv("PATH"), "down", "--delete")).contains("lab: down");
    }
  }

  private void program(String name, String lines) throws IOException {
    Path program = Files.writeString(folder.resolve(name), "#!/bin/bash\n" + lines);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private String lab(String path, String... arguments) throws Exception {
    ProcessBuilder lab =
        new ProcessBuilder(
            Path.of("lab/lab").toAbsolutePath().toString(), "--state", STATE.toString());
    lab.command().addAll(List.of(arguments));
    lab.environment().put("PATH", path);
    Path said = folder.resolve("said");
    lab.redirectErrorStream(true).redirectOutput(said.toFile()).start().waitFor();
    return Files.readString(said, StandardCharsets.UTF_8);
  }
}
