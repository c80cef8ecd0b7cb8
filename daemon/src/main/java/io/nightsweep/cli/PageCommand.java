package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.page.Export;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "page",
    mixinStandardHelpOptions = true,
    description = {
      "Opens the page of the daemon and prints a link to it, which is good once.",
      "If no daemon runs, it starts one, and unfinished sweeps go on; --export starts none.",
      "The page listens on loopback alone and answers nobody without such a link."
    })
final class PageCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port to listen on (default: the last one, else any free port).")
  private Optional<Integer> port = Optional.empty();

  @Option(names = "--close", description = "Close the page and forget every browser.")
  private boolean close;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "Write the page of a sweep as one file with its data inside; needs no daemon.")
  private Optional<Path> export = Optional.empty();

  @Override
  public Integer call() throws IOException, CliException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (close && export.isPresent()) {
      throw new CliException(ExitCode.USAGE, "--close and --export exclude each other");
    }
    state.insistOnTheNamed();
    if (export.isPresent()) {
      if (Files.exists(export.get())) {
        throw new CliException(
            ExitCode.REFUSED,
            export.get() + " is there already; write elsewhere, or remove it first");
      }
      StateOptions.Chosen sweep = state.chosen();
      Export.write(export.get(), state.directory(), sweep.directory(), Places.parts().redaction())
          .forEach(reason -> out.println(Terminal.plain(reason)));
      out.println("written: " + export.get());
    } else if (close) {
      CliException.ifRefused(state.client().ask(new Request.ClosePage(), PATIENCE));
      out.println("the page is closed");
    } else {
      Background.ensure(state.directory(), spec.commandLine().getOut());
      open(state.directory(), port, out);
    }
    return ExitCode.OK;
  }

  /** Opens the page of a running daemon and says how to view it locally and remotely. */
  static void open(StateDirectory state, Optional<Integer> port, PrintWriter out)
      throws IOException, CliException {
    Reply reply = new DaemonClient(state).ask(new Request.OpenPage(port), PATIENCE);
    if (reply instanceof Reply.PageOpen page) {
      out.println("page    " + page.link());
      out.println("        good once, within ten minutes; another: nightsweep page");
      out.printf(
          "afar    ssh -N -L %d:127.0.0.1:%d %s@%s%n",
          page.port(), page.port(), System.getProperty("user.name", "you"), page.host());
      out.println(
          "        run there before you open the link, with this port on both sides; close the page: nightsweep page --close");
    } else {
      throw new CliException(
          ExitCode.REFUSED,
          reply instanceof Reply.Refused refused
              ? "refused: " + refused.reason()
              : "an answer to nothing");
    }
    out.flush();
  }
}
