package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.triage.ClassProposal;
import io.nightsweep.triage.LogTriage;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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

  /** An exception may have any name; if only its traceback is known, nothing is proposed. */
  @Test
  void aTracebackAloneIsNoClass() throws Exception {
    Recognition packed =
        new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml"))).read("any").recognition();
    String trace =
        "3: Traceback (most recent call last):\n3:   File \"/w/train.py\", line 10, in <module>\n";
    Diagnosis named = triage(packed, trace + "3: mylib.WeirdProblem: cannot map shard 17\n");
    assertThat(named.quotes().getFirst().text()).contains("WeirdProblem");
    assertThat(ClassProposal.of(named)).get().asString().contains("WeirdProblem");
    assertThat(ClassProposal.of(triage(packed, trace))).isEmpty();
  }

  /** Words that are masked in the quote are unmasked in the log. */
  @Test
  void aMaskedWordIsAnyWordToTheProposedPattern() throws Exception {
    Recognition packed =
        new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml"))).read("any").recognition();
    Diagnosis masked =
        triage(packed, "E0601 03:12:22.100000 140 blorp.cc:12] the gizmo *** is out of tune\n");
    assertThat(ClassProposal.of(masked)).get().asString().contains("the gizmo \\S+ is out of tune");
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
                "3: Traceback (most recent call last):\n3: quux.Frobnication: mesh 'a b' of 12 at 0x7f12 (in /opt/x/y.py) $5 isn't there\n",
                "7: Traceback (most recent call last):\n7: quux.Frobnication: mesh 'c' of 3 at 0xab (in /srv/z/w.py) $6 isn't there\n"),
            List.of(
                "1: E0601 03:12:22.100000 140 blorp.cc:12] the gizmo of lane 7 is out of tune\n",
                "E0602 13:00:01.000009 9 blorp.cc:15] the gizmo of lane 12 is out of tune\n"))) {
      Diagnosis unknown = triage(packed, runs.getFirst());
      assertThat(unknown.failureClass()).isEqualTo("unclassified");
      String proposal = ClassProposal.of(unknown).orElseThrow();
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
