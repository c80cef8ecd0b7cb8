package io.nightsweep.cli;

import io.nightsweep.plan.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = "Prints a manual page, or writes all of them for man(1).")
final class ManCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "0..1", description = "Default: nightsweep itself.")
  private Optional<String> command = Optional.empty();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Write all pages there, such as ~/.local/share/man/man1.")
  private @Nullable Path directory;

  @Override
  public Integer call() throws IOException, CliException {
    CommandLine root = spec.root().commandLine();
    if (directory != null) {
      Files.createDirectories(directory);
      write(root, directory);
      for (CommandLine sub : visible(root)) {
        write(sub, directory);
      }
      return ExitCode.OK;
    }
    CommandLine page = root;
    if (command.isPresent()) {
      page = root.getSubcommands().get(command.get());
      if (page == null) {
        throw new CliException(
            ExitCode.USAGE,
            "no manual page of '"
                + command.get()
                + "'"
                + Nearest.question(command.get(), root.getSubcommands().keySet())
                    .orElse("; nightsweep help lists the commands"));
      }
    }
    spec.commandLine().getOut().print(ManPage.readable(page.getCommandSpec()));
    return ExitCode.OK;
  }

  static Collection<CommandLine> visible(CommandLine root) {
    return root.getSubcommands().values().stream()
        .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
        .distinct()
        .toList();
  }

  private static void write(CommandLine page, Path directory) throws IOException {
    CommandSpec command = page.getCommandSpec();
    Files.writeString(directory.resolve(ManPage.name(command) + ".1"), ManPage.of(command));
  }
}
