package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Help, manual pages and completion. */
@Tag("people")
class HelpTest {
  @TempDir private Path dir;

  @Test
  void aManualPageIsReadableOnATerminal() {
    String page = Typed.line("man", "init").out();
    assertThat(page)
        .startsWith("NAME\n    nightsweep-init - Writes a commented starting sweep.yaml")
        .contains("\n    -o, --output FILE\n        Write to this file, ")
        .doesNotContainPattern("(?m)^\\.|\\\\");
    assertThat(page.lines()).allMatch(line -> line.length() <= 81);
  }

  @Test
  void aMisspeltManualPageIsToldTheNearest() {
    Typed typed = Typed.line("man", "budgt");
    assertThat(typed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err()).contains("no manual page of 'budgt'; did you mean 'budget'?");
  }

  @Test
  void helpCutsNoSentence() {
    String help = Typed.line("help").out().replaceAll("\\s+", " ");
    assertThat(help)
        .contains("or a file of your own. Leaves a bundle of rows")
        .contains("the smallest gain that it finds")
        .contains("from a YAML file or as one in quotes.");
  }

  @Test
  void aCommandBelowACommandHasHelpOfItsOwn() {
    assertThat(Typed.line("help", "playbook", "test").out())
        .isEqualTo(Typed.line("playbook", "test", "--help").out())
        .contains("nightsweep playbook test");
  }

  @Test
  void completionLeavesFilesToTheShell() throws Exception {
    Path script = Files.writeString(dir.resolve("completion"), Typed.line("completion").out());
    Files.createFile(dir.resolve("my-sweep.yaml"));
    Process bash =
        new ProcessBuilder(
                "bash", "--norc", "-c", "source '" + script + "' && complete -p nightsweep")
            .redirectErrorStream(true)
            .start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
    assertThat(said).contains("-o default");
  }

  /** As the README and all hints write it. */
  @Test
  void whereJobsRunIsCompletedAndShownInSmallLetters() throws Exception {
    assertThat(Typed.line("completion").out())
        .contains("\"slurm\" \"local\"")
        .doesNotContain("SLURM");
    for (String command : List.of("init", "doctor", "start", "rehearse", "demo", "bench")) {
      assertThat(Typed.line("help", command).out()).as(command).contains("slurm, local");
    }
  }

  @Test
  void onlyWhatActsOnASweepAsksWhichOne() throws Exception {
    for (String command :
        List.of("init", "doctor", "rehearse", "start", "demo", "bench", "serve", "compare")) {
      assertThat(Typed.line("help", command).out())
          .as(command)
          .contains("--state")
          .doesNotContain("--sweep");
    }
    for (String command : List.of("status", "watch", "pause", "report", "explain", "page")) {
      assertThat(Typed.line("help", command).out())
          .as(command)
          .contains("--state=DIR", "--sweep=ID");
    }
  }

  @Test
  void helpBeginsWithWhatItIsForAndWhereToBegin() throws Exception {
    assertThat(Typed.line("help").out().lines().limit(6).collect(Collectors.joining(" ")))
        .contains("Finds faster settings for a program", "nightsweep demo", "nightsweep init")
        .doesNotContain("cell");
  }
}
