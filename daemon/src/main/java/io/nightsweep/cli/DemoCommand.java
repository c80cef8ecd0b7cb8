package io.nightsweep.cli;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Command.Origin;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@CommandLine.Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "A whole sweep on this machine, in a minute once it is built: on a Slurm of two virtual"
            + " nodes, or without root by processes alone.")
final class DemoCommand implements Callable<Integer> {
  static final String SWEEP = "templates/demo.yaml";

  private static final String OWN = "demo";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Option(
      names = "--cluster",
      completionCandidates = ClusterNames.class,
      description = "${COMPLETION-CANDIDATES} (default: slurm for root, local for anybody else).")
  private ClusterChoice.Kind cluster = ClusterChoice.Kind.SLURM;

  @Override
  public Integer call()
      throws IOException,
          CliException,
          InterruptedException,
          InvalidInputException,
          ClusterUnreachableException {
    // The demo's sweeps and the user's own have separate state directories, so that neither blocks
    // nor lists the other's.
    StateDirectory directory = new StateDirectory(state.directory().root().resolve(OWN));
    directory.create();
    PrintWriter out = Typeable.in(directory).before(spec.commandLine().getOut());
    endEarlier(directory, out);
    Path file = directory.root().resolve("demo.yaml");
    Files.writeString(file, sweep(cluster));
    String id =
        StartCommand.start(directory, cluster, file, file, new OnBehalf().origin(), false, out)
            .id();
    SweepDirectory sweep = directory.sweep(id);
    SweepState end =
        WatchCommand.follow(out, directory, sweep, s -> s.phase() instanceof Phase.Halted);
    ReportWriter.write(sweep.reports(), sweep.modelReports(), end);
    out.println();
    out.println("report  " + ReportWriter.page(sweep.reports(), end));
    out.println("charts  " + sweep.reports().resolve("charts"));
    out.println("Next: nightsweep explain");
    out.flush();
    boolean walked =
        end.phase() instanceof Phase.Finished f
            && f.outcome() != Event.SweepFinished.SweepOutcome.STOPPED;
    return walked ? ExitCode.OK : ExitCode.FAILED;
  }

  /** The local cluster has one machine, so the demo's ranks shrink to one. */
  static String sweep(ClusterChoice.Kind cluster) throws IOException {
    String text =
        Resources.packed(SWEEP).orElseThrow(() -> new IllegalStateException("no " + SWEEP));
    return cluster == ClusterChoice.Kind.LOCAL
        ? text.replace("parallelism: ranks=2", "parallelism: ranks=1").replace("n[1-2]", "n1")
        : text;
  }

  /** Ends an earlier demo: one that was halted or abandoned still holds its nodes. */
  private static void endEarlier(StateDirectory directory, PrintWriter out)
      throws IOException, CliException, InterruptedException {
    for (SweepDirectory earlier : directory.all()) {
      if (JournalReader.endsFinished(earlier.journal())) {
        continue;
      }
      out.println("ending the earlier demo " + earlier.id());
      out.flush();
      Background.ensure(directory, out);
      CliException.ifRefused(
          new DaemonClient(directory)
              .ask(
                  new Request.Tell(
                      earlier.id(),
                      new Command.Stop(Command.Stop.Mode.CANCEL),
                      new Origin(Origin.Door.CLI, System.getProperty("user.name", "unknown"))),
                  PATIENCE));
      Instant limit = Instant.now().plus(PATIENCE);
      while (!JournalReader.endsFinished(earlier.journal())) {
        if (Instant.now().isAfter(limit)) {
          throw new CliException(
              ExitCode.FAILED,
              "the earlier demo does not end; its log is "
                  + directory.log()
                  + "; remove "
                  + directory.root()
                  + " once its daemon is gone");
        }
        Thread.sleep(200);
      }
    }
  }
}
