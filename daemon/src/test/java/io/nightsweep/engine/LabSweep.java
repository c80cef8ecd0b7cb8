package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;

/**
 * A sweep file for the lab's Slurm, as the command line would pass it to a daemon.
 *
 * @param file the place of the file, beside which its catalogs are looked up
 */
public record LabSweep(SlurmLab lab, String name, String text, Path file) {
  public LabSweep(SlurmLab lab, String name, String text) {
    this(lab, name, text, Path.of("sweep.yaml"));
  }

  SweepSpec spec() throws Exception {
    SlurmCluster slurm = lab.cluster();
    return SweepFile.parse("sweep.yaml", text, Resources.beside(file))
        .resolve(
            slurm, (key, question, choices) -> Optional.empty(), ZonedDateTime.now(ZoneOffset.UTC));
  }

  public Request.Start request() throws Exception {
    ClusterChoice choice =
        ClusterChoice.of(ClusterChoice.Kind.SLURM, Map.of("SLURM_CONF", lab.slurmConf()));
    return new Request.Start(name, text, new SweepOrigin(choice, "sweep.yaml", "test"), spec());
  }

  /** Runs it in a daemon of its own, which ends with the sweep. */
  SweepDirectory walk(StateDirectory state, Parts parts, Duration limit) throws Exception {
    try (Daemon daemon = Daemon.open(state, LabParts.of(parts), InstantSource.system())) {
      Reply reply = daemon.handle(request());
      assertThat(reply).isInstanceOf(Reply.Started.class);
      SweepDirectory directory = state.sweep(((Reply.Started) reply).sweep());
      await()
          .atMost(limit)
          .pollInterval(Duration.ofMillis(500))
          .until(() -> JournalReader.fold(directory.journal()).isFinished());
      return directory;
    }
  }
}
