package io.nightsweep.cli;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "A whole sweep on a Slurm of two virtual nodes on this machine, in a few minutes.")
final class DemoCommand implements Callable<Integer> {
  static final String SWEEP = "templates/demo.yaml";

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Override
  public Integer call()
      throws IOException,
          CliException,
          InterruptedException,
          InvalidInputException,
          ClusterUnreachableException {
    PrintWriter out = spec.commandLine().getOut();
    StateDirectory directory = state.directory();
    directory.create();
    Path file = directory.root().resolve("demo.yaml");
    Files.writeString(
        file, Resources.packed(SWEEP).orElseThrow(() -> new IllegalStateException("no " + SWEEP)));
    String id = StartCommand.start(directory, ClusterChoice.Kind.SLURM, file, out);
    SweepDirectory sweep = directory.sweep(id);
    SweepState end =
        new Watcher(out, Terminal.shows(), progress -> List.of())
            .follow(sweep, s -> s.phase() instanceof Phase.Halted);
    ReportWriter.write(sweep.reports(), sweep.modelReports(), end);
    out.println();
    out.println("report  " + ReportWriter.page(sweep.reports(), end));
    out.println("charts  " + sweep.reports().resolve("charts"));
    out.flush();
    boolean walked =
        end.phase() instanceof Phase.Finished f
            && f.outcome() != Event.SweepFinished.Outcome.STOPPED;
    return walked ? ExitCode.OK : ExitCode.FAILED;
  }
}
