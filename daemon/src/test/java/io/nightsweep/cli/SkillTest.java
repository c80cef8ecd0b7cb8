package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The installed skill mentions only what this program has. */
@Tag("agent")
class SkillTest {
  private static final Pattern COMMAND = Pattern.compile("`nightsweep ([^`]+)`");

  @TempDir private Path repository;

  @Test
  void itIsInstalledAndItsCommandsAreCommands() throws Exception {
    Path file = repository.resolve(".claude/skills/nightsweep/SKILL.md");
    assertThat(run("skill", repository.toString())).contains("wrote " + file, "\"mcp\", \"--as\"");
    String skill = Files.readString(file);
    assertThat(skill).startsWith("---\nname: nightsweep\ndescription: ");

    List<String> numbered = skill.lines().filter(line -> line.matches("\\d+\\. .*")).toList();
    assertThat(numbered).as("a night in ten commands").hasSize(10);
    List<String> commands = new ArrayList<>();
    for (String line : numbered) {
      List<String> ofLine = commands(line);
      assertThat(ofLine).as(line).isNotEmpty();
      commands.addAll(ofLine);
    }
    commands.addAll(commands(skill));
    CommandLine known = Main.commandLine();
    for (String said : commands) {
      List<String> words = List.of(said.split("\\s+"));
      CommandLine command =
          Objects.requireNonNull(known.getSubcommands().get(words.getFirst()), said);
      for (String word : words) {
        if (word.startsWith("-")) {
          assertThat(command.getCommandSpec().findOption(word)).as(said + ": " + word).isNotNull();
        }
      }
    }
  }

  /** A skill that a person has changed is kept beside the new one. */
  @Test
  void whatWasThereIsKept() throws Exception {
    Path file = repository.resolve(".claude/skills/nightsweep/SKILL.md");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "mine\n");
    run("skill", repository.toString());
    assertThat(file.resolveSibling("SKILL.md.old")).hasContent("mine");
    assertThat(Files.readString(file)).contains("name: nightsweep");
  }

  private static List<String> commands(String text) {
    Matcher matcher = COMMAND.matcher(text);
    List<String> found = new ArrayList<>();
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static String run(String... words) {
    Typed typed = Typed.line(words);
    assertThat(typed.code()).isZero();
    return typed.out();
  }
}
