package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.StateDirectory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Commands in texts can be copied and typed. */
@Tag("people")
class TypeableTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          go on: nightsweep resume                 | go on: nightsweep resume --state /s --sweep n
          see nightsweep explain p3                | see nightsweep explain --state /s --sweep n p3
          Look: nightsweep watch  End: nightsweep stop | Look: nightsweep watch --state /s --sweep n  End: nightsweep stop --state /s --sweep n
          end it: nightsweep stop --sweep other    | end it: nightsweep stop --state /s --sweep other
          'nightsweep start' takes up; nightsweep start --state /t | 'nightsweep start --state /s' takes up; nightsweep start --state /t
          nightsweep setup, nightsweep lab up      | nightsweep setup, nightsweep lab up
          an error of nightsweep itself            | an error of nightsweep itself
          """)
  void aCommandHasTheOptionsThatItTakes(String text, String completed) {
    Typeable typeable = new Typeable(" --state /s", " --sweep n");
    assertThat(typeable.text(text)).isEqualTo(completed);
    assertThat(typeable.text(typeable.text(text))).isEqualTo(completed);
  }

  @Test
  void everyCommandThatTakesTheOptionsIsKnown() {
    Typeable typeable = new Typeable(" --state /s", " --sweep n");
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              boolean ofAState = !name.equals("triage") && takes(command, "--state");
              String expected =
                  (ofAState ? " --state /s" : "") + (takes(command, "--sweep") ? " --sweep n" : "");
              assertThat(typeable.text("nightsweep " + name))
                  .isEqualTo("nightsweep " + name + expected);
            });
  }

  private static boolean takes(CommandLine command, String option) {
    return command.getCommandSpec().findOption(option) != null;
  }

  @Test
  void theUsualFolderIsNotNamed() {
    StateDirectory usual = StateDirectory.resolve(Optional.empty(), System.getenv());
    assertThat(Typeable.in(usual)).isEqualTo(Typeable.AS_IT_IS);
  }

  /** In refusals and in hints. */
  @Test
  void whatACommandPrintsHasTheFolderThatItWasGiven() throws Exception {
    Path state = Files.createDirectories(dir.resolve("my state"));
    String option = " --state '" + state + "'";
    assertThat(say("watch", "--state", state.toString()))
        .contains("start one: nightsweep start" + option + " sweep.yaml");
    assertThat(say("schedule", "--state", state.toString()))
        .contains("nightsweep start" + option + " sweep.yaml --at 20:00");
    assertThat(say("doctor", "--cluster", "local", "--state", state.toString()))
        .contains("'nightsweep start" + option + "' starts one");
    assertThat(say("doctor", "--cluster", "local", "--json", "--state", state.toString()))
        .contains("'nightsweep start' starts one");
  }

  private static String say(String... args) {
    StringWriter said = new StringWriter();
    int unused = Main.run(new PrintWriter(said, true), new PrintWriter(said, true), args);
    return said.toString();
  }
}
