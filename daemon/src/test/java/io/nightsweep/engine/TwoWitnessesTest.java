package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that prints a NIC fault's line, with the packed playbook. */
@Tag("guard")
class TwoWitnessesTest {
  @TempDir private Path scratch;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2099-01-01T00:00:00,000000+00:00 systemd: Started session\n",
        // Older than the job.
        "2020-01-01T00:00:00,000000+00:00 ionic 0000:41:00.0: Link down\n",
        "2099-01-01T00:00:00,000000+00:00 ionic 0000:41:00.0: Link up - 100 Gbps\n"
      })
  void onAJobsWordAloneNoDriverIsTouchedAndTheJobRunsAgain(String kernel) throws Exception {
    SampleNight night = night();
    night.kernelsSay(kernel);
    SweepState s = night.run(state -> false);
    assertThat(night.modules()).isEmpty();
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(
            s.attempts()
                .flatMap(a -> a.remedy().stream())
                .flatMap(r -> r.stepsDone().stream())
                .map(d -> Phrases.EN.text(d.end().said())))
        .anyMatch(said -> said.startsWith("not reset: the kernels' logs mention no NIC"));
  }

  /** The playbook says what the reset waits for, and when a person has to perform it. */
  @Test
  @Tag("shipped")
  void thePlaybookTellsOfBothWitnesses() throws Exception {
    assertThat(
            new YAMLMapper()
                .readTree(Resources.packed("playbooks/maxtext-rocm.yaml").orElseThrow())
                .at("/classes/nic-fault/about")
                .asText())
        .contains("the node's kernel log", "third failure in a row halts");
  }

  /** A person who reads that a reset was made does not make one. */
  @Test
  void aHaltDoesNotTellOfAResetThatWasNotMade() throws Exception {
    SampleNight night = night(Integer.MAX_VALUE);
    night.kernelsSay("2099-01-01T00:00:00,000000+00:00 systemd: Started session\n");
    SweepState s = night.run(state -> false);
    assertThat(night.modules()).isEmpty();
    assertThat(s.phase())
        .isInstanceOfSatisfying(
            Phase.Halted.class,
            halted ->
                assertThat(Sentences.tried(halted.cause(), Phrases.EN))
                    .contains("reset-nic (not reset: the kernels' logs", "verify-nic (ok)")
                    .doesNotContain("reset-nic (ok)"));
  }

  @Test
  void withTheKernelsWordTheDriversAreReset() throws Exception {
    SampleNight night = night();
    night.kernelsSay(
        "2099-01-01T00:00:00,000000+00:00 ionic_rdma ionic_0: modify_qp error, cqe with error\n");
    SweepState s = night.run(state -> false);
    assertThat(night.modules())
        .containsExactly(
            "rmmod ionic_rdma on n1",
            "rmmod ionic on n1",
            "modprobe ionic on n1",
            "modprobe ionic_rdma on n1");
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
  }

  private SampleNight night() throws Exception {
    return night(1);
  }

  private SampleNight night(int failures) throws Exception {
    Playbooks playbooks = new Playbooks(Resources.beside(Path.of("sweep.yaml")));
    return new SampleNight(
        scratch,
        EveryClassTest.hasty(playbooks.read("maxtext-rocm")),
        EveryClassTest.sample(playbooks, "maxtext-rocm", "nic-fault"),
        SampleNight.CANDIDATE,
        failures,
        Optional.empty());
  }
}
