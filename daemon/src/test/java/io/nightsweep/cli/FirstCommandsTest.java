package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Typical mistakes of newcomers in the command to measure, reported before the night. */
@Tag("people")
@Tag("slow")
class FirstCommandsTest {
  @TempDir private Path dir;

  /** The night would halt at its first job. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          for i in 1 2; do ;; echo $i; done ~ 1 ~ syntax error near unexpected token `;;'
          echo "not closed                  ~ 1 ~ unexpected EOF while looking for matching `"'
          for i in 1; do@  echo $i@don      ~ 3 ~ syntax error: unexpected end of file
          """)
  void aCommandThatBashCannotReadIsRefusedAtItsLine(String command, int line, String told)
      throws IOException {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    Path started = dir.resolve("started");
    List<String> lines = new ArrayList<>(List.of("touch " + started));
    lines.addAll(Arrays.asList(command.split("@", -1)));
    Path file =
        Files.writeString(
            dir.resolve("broken.yaml"),
            template.replaceFirst(
                "(?m)^    for step in .*$",
                Matcher.quoteReplacement("    " + String.join("\n    ", lines))));
    int first = Files.readAllLines(file).indexOf("    touch " + started) + 1;
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.out())
        .contains(
            "FAULT broken.yaml:" + (first + line) + ":1: bash cannot read the command: " + told,
            "do: correct it; it was read and not started");
    assertThat(started).doesNotExist();
  }

  @Test
  void aFolderThatIsNotThereIsToldAtItsLine() throws IOException {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    Path file =
        Files.writeString(
            dir.resolve("folder.yaml"),
            template.replaceFirst("(?m)^  # directory: .*$", "  directory: /nowhere/scripts"));
    int line = Files.readAllLines(file).indexOf("  directory: /nowhere/scripts") + 1;
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.out())
        .contains(
            "FAULT folder.yaml:" + line + ":14: no folder /nowhere/scripts",
            "do: name the folder in which the command starts");
  }

  /** Otherwise the profile's jobs fail at night, which leaves it out. */
  @Test
  void aProfilesFolderThatIsNotThereIsToldAtItsLine() throws IOException {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    String profile = "  override: {overrides: {directory: /nowhere/scripts}}";
    Path file =
        Files.writeString(
            dir.resolve("profile.yaml"), template.replaceFirst("(?m)^  override: .*$", profile));
    int line = Files.readAllLines(file).indexOf(profile) + 1;
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.out())
        .containsPattern("FAULT profile.yaml:" + line + ":\\d+: no folder /nowhere/scripts");
  }

  /** Otherwise the night halts at its first job. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      textBlock =
          """
          /nowhere/bench --fast               ~ FAULT ~ the command starts /nowhere/bench, and there is no such program
          OMP_NUM_THREADS=2 time DIR/data     ~ FAULT ~ DIR/data, which is not executable
          for i in 1 2; do ./bench; done      ~ FAULT ~ the command starts ./bench in the job's own folder
          zstdd -V || true                    ~ warning  ~ 'zstdd', which is not on the PATH
          if zstdd -V; then echo yes; fi      ~ warning  ~ 'zstdd', which is not on the PATH
          zstdd -b3 data | tee log            ~ FAULT ~ the command starts 'zstdd', which is not on the PATH
          echo "step $(zstdd -b3)"            ~ warning  ~ 'zstdd', which is not on the PATH
          sleep 0; zstdd -b3                  ~ warning  ~ 'zstdd', which is not on the PATH
          touch bench; ./bench                ~ ~
          source env.sh; zstdd -b3            ~ ~
          [[ a < b && c < d ]] || echo none   ~ ~
          """)
  void aProgramThatIsNotThereIsToldBeforeTheNight(String command, String label, String told)
      throws IOException {
    Files.writeString(dir.resolve("data"), "no program");
    Path file = dir.resolve("absent.yaml");
    Files.writeString(
        file,
        say("init", "--workload", "command", "--cluster", "local")
            .out()
            .replaceFirst(
                "(?m)^    for step in .*$",
                Matcher.quoteReplacement("    " + command.replace("DIR", dir.toString()))));
    Typed said = say("doctor", "--cluster", "local", file.toString());
    List<String> lines = said.out().lines().filter(l -> l.contains("the command starts")).toList();
    if (label == null) {
      assertThat(lines).isEmpty();
    } else {
      assertThat(lines)
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith(label)
          .contains("absent.yaml:", told.replace("DIR", dir.toString()));
    }
    assertThat(said.code()).isEqualTo("FAULT".equals(label) ? ExitCode.UNFIT : ExitCode.OK);
    assertThat(said.out()).contains("nightsweep doctor " + file + " --log FILE");
  }

  /** A program that computes less is faster, and nothing else would reveal that. */
  @Test
  void aPatternThatReadsNothingOfTheResultIsDoubted() throws Exception {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    Path file = Files.writeString(dir.resolve("sweep.yaml"), template);
    String doubt =
        "nothing shows what the program computes: workload.pattern reads no (?<loss>...)";
    assertThat(say("doctor", "--cluster", "local", file.toString()).out()).doesNotContain(doubt);
    Files.writeString(file, template.replace(", loss (?<loss>[\\d.]+|nan|inf)", ""));
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.OK);
    assertThat(said.out().lines())
        .anyMatch(line -> line.startsWith("warning  sweep.yaml:") && line.contains(doubt));
  }

  /** A node may have folders that this machine lacks. */
  @Test
  void whatNodesMaySeeIsOnlyDoubted() throws Exception {
    Path file = dir.resolve("absent.yaml");
    Files.writeString(
        file,
        say("init", "--workload", "command", "--cluster", "local")
            .out()
            .replaceFirst("(?m)^    for step in .*$", "    /nowhere/bench | zstdd"));
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    assertThat(Places.parts().workload("command").missingPrograms(spec, false))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.fatal()).isFalse();
              assertThat(Phrases.EN.text(problem.found()))
                  .contains("/nowhere/bench", "a node may still have it");
            });
  }

  /** The variable would be set all night without any effect. */
  @Test
  void aVariableThatLooksMisspeltIsDoubted() throws Exception {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    Path file =
        Files.writeString(
            dir.resolve("misspelt.yaml"),
            template.replaceFirst(
                "(?m)^profiles:\\n(  .*\\n)+",
                """
                configTags:
                  tag: {SPED: 1}
                profiles:
                  swapped: {env: {SPEDE: 50}}
                  named: {env: {SPEED: 50}, overrides: {NIGHTSWEEP_STEPS: 9}}
                  other: {env: {OMP_NUM_THREADS: 4, S: 1, APP_PORT1: 1}}
                  fast: {env: {APP_MODE: fast, APP_PORT2: 1}}
                  slow: {env: {APP_MODE: slow, APP_PORT2: 2}}
                  typo: {env: {APP_MOED: fast, APP_MODUS: 1}}
                """));
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.out().lines().filter(line -> line.contains("'APP_")))
        .as("the program reads it itself, and only others say how it is spelt")
        .singleElement()
        .asString()
        .contains("'APP_MOED'; it is still set", "did you mean 'APP_MODE'?");
    assertThat(said.out().lines().filter(line -> line.contains("'SPE")))
        .satisfiesExactly(
            line -> assertThat(line).contains("'SPEDE'; it is still set"),
            line -> assertThat(line).contains("'SPED'"))
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("warning  ")
                    .contains("misspelt.yaml:", "did you mean 'SPEED'?"));
    // A sweep that starts despite the doubt still records it.
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    SweepDirectory sweep = new StateDirectory(dir.resolve("state")).sweep("night");
    Files.createDirectories(sweep.root());
    try (FileJournal journal = UnsyncedJournal.open(sweep.journal(), e -> {})) {
      journal.append(Instant.now(), List.of(new Event.SweepStarted("night", 1, spec)));
      journal.append(
          Instant.now(),
          List.of(
              new Event.CommandAccepted(
                  new Command.AddProfiles(
                      List.of(Profile.of("late", Map.of(), Map.of("SPEEED", "60"), Map.of()))),
                  new Command.Origin(Command.Origin.Door.CLI, "ann"))));
    }
    assertThat(say("status").out())
        .contains("  warning  The command never mentions 'SPEDE'", "is 'SPEED' meant?")
        .contains("  warning  The command never mentions 'SPEEED'");
    assertThat(say("report").out()).contains("never mentions `SPEDE`", "never mentions `SPED`");
  }

  private Typed say(String... words) {
    return Typed.in(dir.resolve("state"), words);
  }
}
