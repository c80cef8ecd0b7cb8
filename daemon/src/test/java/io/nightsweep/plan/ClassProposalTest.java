package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Statement;
import io.nightsweep.triage.ClassProposal;
import io.nightsweep.triage.LogTriage;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The class proposed for an unknown failure can be pasted, and recognises the next such failure.
 */
@Tag("joblog")
@Tag("slow")
class ClassProposalTest {
  @TempDir private Path folder;

  private Diagnosis triage(Recognition recognition, String log) throws Exception {
    Path file = Files.writeString(folder.resolve("job.log"), log);
    return new LogTriage(recognition, Workloads::hearSteps)
        .ended(file, Optional.of(JobEnd.State.FAILED), OptionalInt.of(1), 15);
  }

  /** The YAML for one diagnosis; empty without a proposal. */
  private static String proposed(Recognition recognition, Diagnosis diagnosis) {
    LogTriage by = new LogTriage(recognition, Workloads::hearSteps);
    return ClassProposal.of(diagnosis, by::isEcho)
        .map(p -> ClassProposal.yaml(List.of(p), List.of(), "samples/own.yaml"))
        .orElse("");
  }

  /** What a launcher says of a program's end would name every failure of every program. */
  @Test
  void noEchoIsAClass() throws Exception {
    Recognition packed =
        new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml"))).read("any").recognition();
    for (String echo :
        List.of(
            "srun: error: gpu-a-17: task 0: Exited with exit code 1",
            "[ERROR] [launch.py:321:sigkill_handler] ['python3', 'x.py'] exits with return code ="
                + " 1",
            "E0411 10:00:00.1 139822 api.py:869] failed (exitcode: 1) local_rank: 0 (pid:"
                + " 387746)")) {
      Diagnosis unknown = unclassified(echo);
      assertThat(proposed(packed, unknown)).as(echo).isEmpty();
      assertThat(proposed(packed, unclassified(echo, "the gizmo is out of tune: fatal")))
          .contains("gizmo")
          .doesNotContain("exit");
    }
  }

  private static Diagnosis unclassified(String... lines) {
    return new Diagnosis(
        "unclassified",
        0,
        Stream.of(lines).map(l -> new Diagnosis.Quote("job.log", 1, l)).toList(),
        Statement.NONE,
        List.of());
  }

  /** Whatever else the log of another run has. */
  @Test
  void aProposedClassWinsOverNoKnownOne() throws Exception {
    assertThat(
            new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")))
                .read("any").recognition().classes().stream().mapToInt(FailureClass::order))
        .allMatch(order -> order < ClassProposal.ORDER);
  }

  /** An exception may have any name; if only its traceback is known, nothing is proposed. */
  @Test
  void aTracebackAloneIsNoClass() throws Exception {
    Recognition packed =
        new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml"))).read("any").recognition();
    String trace =
        "3: Traceback (most recent call last):\n3:   File \"/w/train.py\", line 10, in <module>\n";
    Diagnosis named = triage(packed, trace + "3: mylib.WeirdProblem: cannot map shard 17\n");
    assertThat(named.quotes().getFirst().text()).contains("WeirdProblem");
    assertThat(proposed(packed, named)).contains("WeirdProblem");
    assertThat(proposed(packed, triage(packed, trace))).isEmpty();
    assertThat(
            proposed(
                packed,
                unclassified(
                    "2024-11-20 14:37:16 [rank3]: Traceback (most recent call last):",
                    "quux.Frobnication: no mesh")))
        .isEmpty();
  }

  /** Words that are masked in the quote are unmasked in the log. */
  @Test
  void aMaskedWordIsAnyWordToTheProposedPattern() throws Exception {
    Recognition packed =
        new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml"))).read("any").recognition();
    Diagnosis masked =
        triage(packed, "E0601 03:12:22.100000 140 blorp.cc:12] the gizmo *** is out of tune\n");
    assertThat(proposed(packed, masked)).contains("the gizmo \\S+ is out of tune");
  }

  @Test
  void aProposedClassIsPastedAndKnowsTheNextFailureOfItsKind() throws Exception {
    Recognition packed =
        new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")))
            .read("maxtext-cuda")
            .recognition();
    for (List<String> runs :
        List.of(
            List.of(
                "3: Traceback (most recent call last):\n"
                    + "3: quux.Frobnication: mesh 'a b' of 12 at 0x7f12 (in /opt/x/y.py) $5 isn't"
                    + " there\n",
                "7: Traceback (most recent call last):\n"
                    + "7: quux.Frobnication: mesh 'c' of 3 at 0xab (in /srv/z/w.py) $6 isn't"
                    + " there\n"),
            List.of(
                "1: E0601 03:12:22.100000 140 blorp.cc:12] the gizmo of lane 7 is out of tune\n",
                "E0602 13:00:01.000009 9 blorp.cc:15] the gizmo of lane 12 is out of tune\n"))) {
      Diagnosis unknown = triage(packed, runs.getFirst());
      assertThat(unknown.failureClass()).isEqualTo("unclassified");
      String proposal = proposed(packed, unknown);
      Path playbooks = Files.createDirectories(folder.resolve("playbooks"));
      Files.writeString(
          playbooks.resolve("own.yaml"), "about: Own.\nextends: maxtext-cuda\n" + proposal);
      Recognition own =
          new Playbooks(Resources.beside(folder.resolve("sweep.yaml"))).read("own").recognition();
      for (String run : runs) {
        assertThat(triage(own, run).failureClass()).as(proposal).isNotEqualTo("unclassified");
      }
    }
  }
}
