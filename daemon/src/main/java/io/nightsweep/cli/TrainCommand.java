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
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Loads what the quick commands load, for the launcher's class archive; does nothing else. */
@Command(name = "train", hidden = true)
final class TrainCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "An empty directory to write into.")
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
      journal.append(Instant.now(), mostOfANight(spec));
    }
    Main.run("--help");
    Path log = Files.writeString(scratch.resolve("job.log"), "0: NCCL WARN nothing\n");
    Main.run("triage", log.toString());
    return Main.run("status", "--state", scratch.toString());
  }

  private static List<Event> mostOfANight(SweepSpec spec) {
    List<Event> night =
        new Night(spec, new PlainSurface(), Faults.none(), Duration.ofMinutes(2), 1)
            .run().entries().stream().map(Entry::event).toList();
    return night.subList(0, night.size() * 3 / 4);
  }

  /** A response surface on which every profile differs a little. */
  private record PlainSurface() implements Surface {
    @Override
    public double effect(Profile profile, String configTag) {
      return Math.floorMod(profile.name().hashCode(), 20) / 1000.0;
    }

    @Override
    public double baseline(String configTag) {
      return 1000;
    }

    @Override
    public double drift(double hours) {
      return 0;
    }

    @Override
    public double noise(SplittableRandom random) {
      return random.nextDouble() / 200;
    }
  }
}
