package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.Sample;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A candidate's own failure never ends the night, whatever its log says about nodes and ranks. */
@Tag("joblog")
@Tag("guard")
class NightEndersTest {
  @TempDir private Path scratch;

  @Test
  void aCrashOfTheCompilerIsNoFailedNode() throws Exception {
    assertDroppedAndFinished(
        134,
        """
        0: F0601 03:12:22.100000 140 gpu_compiler.cc:1234] Check failed: module->has_schedule()
        0: *** Check failure stack trace: ***
        NODE_EXIT host=n1 exit=134
        NODE_EXIT host=n2 exit=134
        Status: FAILED (exit 134)
        """);
  }

  @Test
  void aBareSegfaultIsNoFailedNode() throws Exception {
    assertDroppedAndFinished(
        139,
        """
        srun: error: n1: tasks 0-7: Segmentation fault (core dumped)
        NODE_EXIT host=n1 exit=139
        NODE_EXIT host=n2 exit=139
        Status: FAILED (exit 139)
        """);
  }

  @Test
  void aCandidatesWordOfALostNodeIsItsOwnWhereTheNodesAreWell() throws Exception {
    assertDroppedAndFinished(
        1,
        """
        srun: error: Required node not available (down, drained or reserved)
        Status: FAILED (exit 1)
        """);
  }

  @Test
  void oneRanksErrorIsNotTheOthersLostHeartbeat() throws Exception {
    assertDroppedAndFinished(
        1,
        """
        1: E0601 03:13:22.1 141 coordination_service_agent.cc:712] Polled an error: the task stopped sending heartbeats
        2: The tasks have crashed. Check the task logs for an earlier error
        0: Traceback (most recent call last):
        0:   File "train.py", line 12, in <module>
        0: ValueError: One of with_sharding_constraint arguments was given the sharding of an axis that does not divide it
        3: The tasks have crashed. Check the task logs for an earlier error
        Status: FAILED (exit 1)
        """);
  }

  @Test
  void informationOfALibraryIsNoFaultOfTheNic() throws Exception {
    SweepState s =
        assertDroppedAndFinished(
            1,
            """
            0: n1:140:200 [0] NCCL INFO NET/IB : No device found.
            0: Traceback (most recent call last):
            0:   File "train.py", line 12, in <module>
            0: TypeError: unsupported operand type(s) for +: 'int' and 'str'
            Status: FAILED (exit 1)
            """);
    assertThat(s.attempts().flatMap(a -> a.remedy().stream()).flatMap(r -> r.stepsDone().stream()))
        .as("nothing of a healthy NIC is reset")
        .noneMatch(d -> Phrases.EN.text(d.end().said()).contains("reset"));
  }

  /**
   * An edit during the night does not reach the jobs: people are notified once, and nothing ends.
   */
  @Test
  void aChangeOfWhatJobsAreMadeOfIsToldOnce() throws Exception {
    Statement change = Statement.phrase("changed-checkout", "train_env.sh");
    SampleNight night = night(1, "0: a candidate's own failure\n");
    night.changeTheSource(change);
    SweepState s = night.run(state -> false);
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(s.findings()).filteredOn(f -> f.is(Finding.CHANGED)).hasSize(1);
    assertThat(night.entries())
        .extracting(Entry::event)
        .filteredOn(
            e ->
                e instanceof Event.NoticeIssued n
                    && n.notice().equals(new Notice.Incident(new Occurrence.SourceChanged(change))))
        .hasSize(1);
  }

  /**
   * Jobs of two images cannot be compared: those of the second measure nothing, and people are
   * notified.
   */
  @Test
  void anImageThatIsAnotherInTheMidstIsToldAndItsJobsMeasureNothing() throws Exception {
    SampleNight night = night(1, "0: a candidate's own failure\n");
    night.changeTheImageAfter(1);
    SweepState s = night.run(state -> false);
    assertThat(s.inventory()).contains(new Fact("image digest", "sha256:first", true));
    assertThat(s.trials().values())
        .filteredOn(t -> t.measurement().isPresent())
        .allMatch(t -> t.trial().id().number() == 1);
    assertThat(s.findings())
        .filteredOn(f -> f.is(Finding.CHANGED))
        .extracting(f -> Phrases.EN.text(f.statement()))
        .containsExactly(
            "the job ran with image digest sha256:second instead of sha256:first: restore what the"
                + " sweep began with, or start a new sweep");
    assertThat(s.phase()).isInstanceOf(Phase.Halted.class);
  }

  private SweepState assertDroppedAndFinished(int exitCode, String log) throws Exception {
    SweepState s = night(exitCode, log).run(state -> false);
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(s.isDropped(SampleNight.CANDIDATE)).isTrue();
    return s;
  }

  private SampleNight night(int exitCode, String log) throws Exception {
    Playbook playbook = new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("maxtext-rocm");
    JobEnd end =
        new JobEnd(
            JobEnd.State.FAILED,
            exitCode,
            Optional.empty(),
            Instant.EPOCH,
            JobEnd.Source.EXIT_RECORD);
    Sample sample =
        new Sample("own", "own", "own", log, Optional.of(end), -1, 15, Optional.empty(), 0);
    return new SampleNight(
        scratch, playbook, sample, SampleNight.CANDIDATE, 1_000, Optional.empty());
  }
}
