package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that need no Java: they explain themselves, and a typing error changes nothing. */
@Tag("people")
class ScriptsTest {
  private static final Path LAB = Path.of("lab").toAbsolutePath();

  @TempDir private Path dir;

  private record Said(int code, String text) {}

  @ParameterizedTest
  @ValueSource(strings = {"bundle", "setup", "lab"})
  void whoAsksForHelpIsGivenItAndNothingElseHappens(String script) throws Exception {
    for (String word : List.of("--help", "-h")) {
      Said said = run(LAB.resolve(script).toString(), word);
      assertThat(said.code()).as(said.text()).isZero();
      assertThat(said.text()).startsWith("usage: nightsweep " + script);
    }
    try (Stream<Path> made = Files.list(dir)) {
      assertThat(made).isEmpty();
    }
  }

  @Test
  void aWrongWordIsNoNameOfAnArchive() throws Exception {
    for (List<String> wrong :
        List.of(List.<String>of(), List.of("--hlep"), List.of(""), List.of("a.tar.gz", "b"))) {
      List<String> command = new ArrayList<>(List.of(LAB.resolve("bundle").toString()));
      command.addAll(wrong);
      Said said = run(command.toArray(String[]::new));
      assertThat(said.code()).as(said.text()).isEqualTo(ExitCode.USAGE);
      assertThat(said.text()).startsWith("usage: nightsweep bundle FILE.tar.gz");
    }
    Said setup = run(LAB.resolve("setup").toString(), "--dmeo");
    assertThat(setup.code()).isEqualTo(ExitCode.USAGE);
    assertThat(setup.text()).startsWith("usage: nightsweep setup [--demo]");
  }

  /** The lab's Slurm works only for root; others read what they can do instead. */
  @Test
  void whoIsNotRootIsToldHowJobsRunWithoutALab() throws Exception {
    Path readable = Files.createTempDirectory(Path.of("/tmp"), "lab");
    Path script = readable.resolve("lab");
    try {
      Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.copy(LAB.resolve("lab"), script);
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
      for (String word : List.of("env", "up")) {
        Said said = run("bash", "-c", asNobody(script, word));
        assertThat(said.code()).as(said.text()).isEqualTo(ExitCode.FAILED);
        assertThat(said.text())
            .contains(
                "run: sudo nightsweep lab " + word, "nightsweep start --cluster local sweep.yaml");
      }
    } finally {
      Files.deleteIfExists(script);
      Files.delete(readable);
    }
  }

  private static String asNobody(Path script, String word) {
    return "((EUID)) || drop='setpriv --reuid=65534 --regid=65534 --clear-groups'; HOME=/nonexistent ${drop:-} '"
        + script
        + "' "
        + word;
  }

  private Said run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }
}
