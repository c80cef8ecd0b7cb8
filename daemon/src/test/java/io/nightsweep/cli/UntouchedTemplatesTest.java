package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nightsweep.plan.InitFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code init} writes, before a person changes anything. */
@Tag("people")
@Tag("slow")
class UntouchedTemplatesTest {
  @TempDir Path dir;

  static List<String> workloads() {
    return List.copyOf(InitFile.workloads());
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void itsOwnRehearsalFindsGainsAndComesToThePlansEnd(String workload) throws Exception {
    Path file = written(workload);
    String said = said("rehearse", file.toString(), "--nights", "16");
    assertThat(said)
        .contains("Smallest gain found and confirmed in 80 % of nights: +")
        .containsPattern("ends before the plan does in [0-5]?\\d % of nights");
  }

  /** People replace the template's command with their own program's name. */
  @Test
  void aProgramThatFailsEndsTheTemplatesCommandBeforeItPrintsAStep() throws Exception {
    String command =
        new YAMLMapper().readTree(written("command").toFile()).at("/workload/command").asText();
    assertThat(run(command)).contains("exit 0", "step 9 of 10");
    for (String failing :
        List.of("false; echo", "no-such-program; echo", "false | cat; echo", "x=$(false); echo")) {
      assertThat(run(command.replace("echo", failing)))
          .as(failing)
          .doesNotContain("exit 0", "step");
    }
  }

  private String run(String command) throws Exception {
    Process bash =
        new ProcessBuilder("bash", "-c", command)
            .redirectErrorStream(true)
            .directory(dir.toFile())
            .start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return out + "exit " + bash.waitFor();
  }

  private Path written(String workload) throws Exception {
    return Files.writeString(
        dir.resolve("sweep.yaml"), said("init", "--workload", workload, "--cluster", "local"));
  }

  private String said(String... words) {
    Typed typed = Typed.in(dir.resolve("state"), words);
    assertThat(typed.code()).as(typed.err()).isZero();
    return typed.out();
  }
}
