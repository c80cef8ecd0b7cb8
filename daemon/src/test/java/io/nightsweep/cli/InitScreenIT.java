package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conversation of {@code init}, typed on a real terminal. */
@Tag("people")
class InitScreenIT {
  @TempDir private Path dir;

  @Test
  void aFewTypedAnswersLeaveAFileThatItsRehearsalPasses() throws Exception {
    Path file = dir.resolve("sweep.yaml");
    Path script = script("", List.of("--cluster", "local", "-o", file.toString()));
    try (Tmux terminal = new Tmux()) {
      terminal.open(250, 50, "sh " + script);
      answer(terminal, "What do you tune?", "command");
      answer(terminal, "The command that a job runs", "zstd -b3 -i1 corpus.tar");
      answer(terminal, "The folder that it starts in", "");
      answer(terminal, "A line that it prints in each step", "step 9 of 20: 151.2 MB/s");
      terminal.screen(s -> s.contains("from that line: step 9, value 151.2 MB/s"));
      answer(terminal, "How many steps", "20");
      answer(terminal, "The unit of what is measured", "MB/s");
      answer(terminal, "Is more of it better?", "");
      answer(terminal, "How many seconds does a run take?", "60");
      answer(terminal, "Settings to try", "ZSTD_CLEVEL=3 ZSTD_NBTHREADS=4");
      answer(terminal, "How many hours may it take?", "2");
      assertThat(terminal.screen(s -> s.contains("left with ")))
          .contains("rehearsed: ", "written: " + file, "nightsweep doctor --state ")
          .contains("left with 0");
    }
    assertThat(file)
        .content()
        .contains("    zstd -b3 -i1 corpus.tar", "  steps: 20", "  ZSTD_CLEVEL-3: ", "  hours: 2");
  }

  /** A person who tries it first has no Slurm and need not know an option for that. */
  @Test
  void withoutSlurmItOffersTheMachineItself() throws Exception {
    Path file = dir.resolve("sweep.yaml");
    Path script = script("export SLURM_CONF=/dev/null", List.of("-o", file.toString()));
    try (Tmux terminal = new Tmux()) {
      terminal.open(60, 50, "sh " + script);
      answer(terminal, "No Slurm answers here.", "perhaps");
      terminal.screen(s -> s.contains("'perhaps': expected yes or no"));
      terminal.keys("Enter");
      answer(terminal, "What do you tune?", "");
      answer(terminal, "The command that a job runs", "");
      answer(terminal, "How many hours may it take?", "");
      terminal.screen(s -> s.contains("left with 0"));
      assertThat(terminal.history()).contains("written: " + file, "--cluster local");
      assertThat(terminal.brokenByTheTerminal(60)).isEmpty();
    }
    assertThat(file).content().contains("local processes", "command: |");
  }

  private Path script(String before, List<String> options) throws IOException {
    List<String> init = new ArrayList<>(List.of("init", "--state", dir.resolve("state") + ""));
    init.addAll(options);
    return Files.writeString(
        dir.resolve("init.sh"),
        before + "\n" + MainProcess.shell(init) + "\necho left with $?\ncat\n");
  }

  private static void answer(Tmux terminal, String question, String answer) throws Exception {
    terminal.screen(s -> s.contains(question));
    terminal.keys("-l", answer);
    terminal.keys("Enter");
  }
}
