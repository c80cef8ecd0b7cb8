package io.nightsweep.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "skill",
    mixinStandardHelpOptions = true,
    description = "Installs the skill for coding assistants into a repository.")
final class SkillCommand implements Callable<Integer> {
  private static final String SOURCE = "/templates/skills/nightsweep/SKILL.md";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "REPOSITORY",
      arity = "0..1",
      defaultValue = ".",
      description = "Its folder (default: here).")
  private Path repository = Path.of(".");

  @Option(
      names = "--below",
      paramLabel = "FOLDER",
      description = "Where the assistant looks for skills (default: ${DEFAULT-VALUE}).",
      defaultValue = ".claude/skills")
  private Path below = Path.of(".claude/skills");

  @Override
  public Integer call() throws IOException, CliException {
    Path file = repository.resolve(below).resolve("nightsweep/SKILL.md");
    byte[] text;
    try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(SOURCE), SOURCE)) {
      text = in.readAllBytes();
    }
    if (!Files.isDirectory(repository)) {
      throw new CliException(ExitCode.USAGE, repository + ": there is no such folder");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (Files.exists(file) && !Arrays.equals(Files.readAllBytes(file), text)) {
      Path old = file.resolveSibling("SKILL.md.old");
      Files.copy(file, old, StandardCopyOption.REPLACE_EXISTING);
      out.println("kept what was there as " + old);
    }
    Files.createDirectories(file.getParent());
    Files.write(file, text);
    out.println("wrote " + file);
    out.println("to let an assistant ask by tools as well, add to its MCP servers:");
    out.println(
        "  {\"nightsweep\": {\"command\": \"nightsweep\", \"args\": [\"mcp\", \"--as\", \"NAME\"]}}");
    return ExitCode.OK;
  }
}
