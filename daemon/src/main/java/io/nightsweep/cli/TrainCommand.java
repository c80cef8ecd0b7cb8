package io.nightsweep.cli;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.Replay;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Prompter;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Loads what the quick commands load, for the launcher's class archive; does nothing else. */
@Command(name = "train", hidden = true)
final class TrainCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "An empty directory to scribble in.")
  private Path scratch;

  @Override
  public Integer call()
      throws IOException, InterruptedException, InvalidInputException, ClusterUnreachableException {
    StateDirectory state = new StateDirectory(scratch);
    state.create();
    SweepSpec spec =
        SweepFile.parse(
                "demo.yaml",
                Resources.packed(DemoCommand.SWEEP).orElseThrow(),
                Resources.beside(scratch.resolve("demo.yaml")))
            .resolve(
                new LocalCluster(scratch.resolve("queue"), List.of("n1", "n2")),
                Prompter.nobody(),
                ZonedDateTime.now(ZoneOffset.UTC));
    SweepDirectory sweep = state.sweep("training");
    Files.createDirectories(sweep.root());
    try (FileJournal journal = FileJournal.open(sweep.journal(), new Replay())) {
      journal.append(Instant.now(), List.of(new Event.SweepStarted("training", 1, spec)));
    }
    return Main.run("status", "--state", scratch.toString());
  }
}
