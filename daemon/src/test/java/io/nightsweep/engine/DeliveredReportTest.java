package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sim.ShippedWinner;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code workload.deliverReport} of the packed sweep file, with a checkout that is in use. */
@Tag("shipped")
@Tag("slow")
class DeliveredReportTest {
  private static final String NAME = "deepseek3-671b-tuning";

  @TempDir Path folder;
  private Path checkout;
  private SweepState fsdp;

  @BeforeEach
  void walkANight() throws Exception {
    checkout = Files.createDirectories(folder.resolve("checkout"));
    fsdp = ShippedWinner.delivering(checkout, "FSDP=8", true, 0);
    Files.writeString(checkout.resolve("submit.sh"), "true\n");
  }

  @Test
  void isPutThereAndNeverCommitted() throws Exception {
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qm", "launcher");
    String before = git("rev-parse", "HEAD");
    write("here", fsdp);
    write("here", fsdp);
    assertThat(git("rev-parse", "HEAD")).isEqualTo(before);
    assertThat(git("diff", "--cached", "--name-only")).isEmpty();
    assertThat(git("status", "--porcelain").lines())
        .containsExactlyInAnyOrder(
            "?? " + NAME + ".md",
            "?? " + NAME + ".zh.md",
            "?? " + NAME + ".env.sh",
            "?? " + NAME.replace("tuning", "charts") + "/");
    assertThat(text(".md")).contains("FSDP=8: tuning").contains("](deepseek3-671b-charts/");
    assertThat(text(".zh.md")).contains("FSDP=8：调优");
    assertThat(text(".env.sh")).contains("all_gather_combine_threshold_bytes");
    assertThat(bash("source " + NAME + ".env.sh")).isEmpty();
  }

  @Test
  void isNotPutThereUnasked() throws Exception {
    SweepState unasked = ShippedWinner.night(checkout, 0.05, 0);
    write("here", unasked);
    try (var files = Files.list(checkout)) {
      assertThat(files.map(f -> String.valueOf(f.getFileName())))
          .containsExactlyInAnyOrder("configs", "submit.sh");
    }
  }

  /** Other people's page keeps every byte, and their patch stays. */
  @Test
  void leavesWhatPeopleWroteAndHaveNotCommitted() throws Exception {
    Files.writeString(checkout.resolve(NAME + ".md"), "# By hand\r\nNCCL_PROTO=LL\n");
    Files.writeString(checkout.resolve(NAME + ".env.sh"), "export MINE=1\n");
    write("here", fsdp);
    assertThat(text(".md")).startsWith("# By hand\r\nNCCL_PROTO=LL\n").contains("FSDP=8: tuning");
    assertThat(text(".env.sh")).isEqualTo("export MINE=1\n");
    assertThat(text(".env.new.sh")).contains("all_gather_combine_threshold_bytes");
    // A night without a winner has no patch, and removes nobody else's.
    write("elsewhere", ShippedWinner.delivering(checkout, "FSDP=8", false, 1));
    assertThat(text(".env.sh")).isEqualTo("export MINE=1\n");
  }

  /** Edits to the delivered files are kept too. */
  @Test
  void leavesWhatPeopleChangedInIt() throws Exception {
    write("here", fsdp);
    String edited = "# reviewed by bob\n" + text(".env.sh");
    Files.writeString(checkout.resolve(NAME + ".env.sh"), edited);
    Files.writeString(
        checkout.resolve(NAME + ".md"), text(".md").replace("FSDP=8: tuning", "FSDP=8: my words"));
    write("here", fsdp);
    assertThat(text(".env.sh")).isEqualTo(edited);
    assertThat(text(".env.new.sh")).contains("all_gather_combine_threshold_bytes");
    assertThat(text(".md")).contains("FSDP=8: my words", "FSDP=8: tuning");
  }

  @Test
  void aSecondSweepOfTheModelStandsBesideTheFirst() throws Exception {
    SweepState pp = ShippedWinner.delivering(checkout, "PP=8", true, 0);
    write("here", fsdp);
    String first = text(".env.sh");
    write("here", pp);
    assertThat(text(".md")).contains("FSDP=8: tuning", "PP=8: tuning");
    assertThat(text(".env.sh"))
        .contains("all_gather_combine_threshold_bytes")
        .contains("parallel_collective_overlap_limit")
        .isNotEqualTo(first);
    assertThat(checkout.resolve(NAME + ".env.new.sh")).doesNotExist();
  }

  /**
   * The second daemon has no figures of the first, so its patch would lose the first one's recipe.
   */
  @Test
  void aSecondDaemonsPatchTakesNoRecipeAway() throws Exception {
    write("here", fsdp);
    String first = text(".env.sh");
    write("on another machine", ShippedWinner.delivering(checkout, "PP=8", true, 0));
    assertThat(text(".md")).contains("FSDP=8: tuning", "PP=8: tuning");
    assertThat(text(".env.sh")).isEqualTo(first);
    assertThat(text(".env.new.sh")).contains("parallel_collective_overlap_limit");
  }

  /**
   * The sweep's own report and the model's pages are still written, and the delivery is tried
   * again.
   */
  @Test
  void aCheckoutThatCannotBeWrittenIsNamed() throws Exception {
    // A read-only mount, which stops root too.
    run(folder, "mount", "--bind", checkout.toString(), checkout.toString());
    try {
      run(folder, "mount", "-o", "remount,ro,bind", checkout.toString());
      assertThatThrownBy(() -> write("here", fsdp))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("could not be put into " + checkout)
          .hasMessageContaining("workload.deliverReport")
          .hasMessageContaining("Read-only file system");
    } finally {
      run(folder, "umount", checkout.toString());
    }
    assertThat(sweep("here").reports().resolve(NAME + ".md")).isRegularFile();
    assertThat(sweep("here").modelReports().resolve(NAME + ".env.sh")).isRegularFile();
    assertThat(checkout.resolve(NAME + ".md")).doesNotExist();
    write("here", fsdp);
    assertThat(text(".md")).contains("FSDP=8: tuning");
  }

  private void write(String machine, SweepState s) throws IOException {
    new RealParts(folder, Map.of(), folder).reporter().write(sweep(machine, s), s);
  }

  private SweepDirectory sweep(String machine) {
    return sweep(machine, fsdp);
  }

  private SweepDirectory sweep(String machine, SweepState s) {
    return new StateDirectory(folder.resolve(machine))
        .sweep(s.cell().parallelism().replaceAll("\\W+", "-"));
  }

  private String text(String suffix) throws IOException {
    return Files.readString(checkout.resolve(NAME + suffix));
  }

  private String bash(String script) throws Exception {
    return run(checkout, "bash", "-euc", script);
  }

  private String git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    return run(checkout, command.toArray(String[]::new));
  }

  private static String run(Path in, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
    return said.strip();
  }
}
