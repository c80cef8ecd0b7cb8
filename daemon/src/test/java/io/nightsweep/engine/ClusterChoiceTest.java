package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterChoiceTest {
  private static final ClusterChoice HERE =
      ClusterChoice.of(ClusterChoice.Kind.SLURM, Map.of("SLURM_CONF", "/etc/slurm.conf"));

  @TempDir private Path dir;

  @Test
  void theWayToTheClusterIsKeptBesideTheJournal() throws Exception {
    SweepDirectory sweep = sweep();
    SweepOrigin far =
        new SweepOrigin(
            HERE.through(new Transport(Transport.Kind.SSH, "login1")), "sweep.yaml", "me");
    far.write(sweep);
    assertThat(SweepOrigin.read(sweep)).isEqualTo(far);
    assertThat(far.cluster().way().words()).isEqualTo("ssh login1");
  }

  @Test
  void sweepsThatWereStartedBeforeThereWereOthersAreDirect() throws Exception {
    SweepDirectory sweep = sweep();
    Files.writeString(
        sweep.origin(),
        """
        {"cluster": {"kind": "SLURM", "slurmConf": "/etc/slurm.conf"}, "file": "sweep.yaml", "who": "me"}
        """);
    assertThat(SweepOrigin.read(sweep).cluster()).isEqualTo(HERE);
    assertThat(HERE.way()).isEqualTo(Transport.DIRECT);
  }

  private SweepDirectory sweep() throws Exception {
    SweepDirectory sweep = new StateDirectory(dir).sweep("s");
    Files.createDirectories(sweep.root());
    return sweep;
  }
}
