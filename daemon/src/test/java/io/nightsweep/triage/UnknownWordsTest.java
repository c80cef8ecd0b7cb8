package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is concluded from logs alone whose words nobody had written a pattern for. */
@Tag("joblog")
class UnknownWordsTest {
  @TempDir private Path folder;

  /** An echo says that something failed, and not what. */
  @Test
  void theErrorBeforeAnAbortIsQuotedFirst() throws Exception {
    Diagnosis found =
        diagnose(
            """
            LAMMPS (2 Aug 2023)
            ERROR: Unrecognized fix style 'gpu'
            MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD
            with errorcode 1.
            """);
    assertThat(found.failureClass()).isEqualTo("mpi-abort");
    assertThat(found.quotes().getFirst().text()).contains("Unrecognized fix style");
  }

  @Test
  void anErrorThatQuotesAWarningIsAnError() throws Exception {
    Diagnosis found =
        diagnose(
            """
            INFO:    Starting build...
            ERROR: unpackSIF failed: root filesystem extraction failed: WARNING: passwd file doesn't exist
            FATAL: While performing build: packer failed to pack: WARNING: passwd file doesn't exist
            """);
    assertThat(found.failureClass()).isEqualTo("container-image");
  }

  @Test
  void aHeadingIsNotQuotedFirstWhereAnErrorFollowsIt() throws Exception {
    Diagnosis found =
        diagnose(
            """
            Last error:
            the frobnicator failed to start
            """);
    assertThat(found.failureClass()).isEqualTo("unclassified");
    assertThat(found.quotes().getFirst().text()).contains("frobnicator");
  }

  @Test
  void whatIsToldForDebuggingIsNotQuoted() throws Exception {
    Diagnosis found =
        diagnose(
            """
            DEBU[0004] ExitCode msg: "container create failed (no logs from conmon): eof"
            Error: container create failed (no logs from conmon): EOF
            """);
    assertThat(found.failureClass()).isEqualTo("container-start");
    assertThat(found.quotes().getFirst().text()).startsWith("Error: ");
  }

  /** A tool's name that holds the word, on a line that calls itself information. */
  @Test
  void informationAccusesNobody() throws Exception {
    Diagnosis found =
        diagnose(
            """
            stress-ng: info:  [31731] disabled 'oom-pipe' as it may hang or reboot the machine
            stress-ng: info:  [31731] skipped: 16: oom-pipe (16)
            stress-ng: info:  [31731] failed: 0
            """);
    assertThat(found.failureClass()).isEqualTo("no-failure-found");
  }

  /** Of the surroundings of a program Python raises the same errors as of the program. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RuntimeError: Unable to load cuSPARSE. Is it installed? | image-missing",
        "RuntimeError: Unimplemented: DNN library is not found. | image-missing",
        "RuntimeError: the socket was shut | unclassified",
        "RuntimeError: the model has no layers | program-error"
      })
  void anErrorOfTheSurroundingsIsNoneOfTheProgram(String raised, String expected) throws Exception {
    assertThat(
            diagnose(
                    "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n"
                        + raised
                        + "\n")
                .failureClass())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "# Out of bounds values : 50 FAILED | wrong-results",
        "GPU 0: FAULTY | wrong-results",
        "Failed status 12: wr_id 0 syndrom 0x81 | nccl-error",
        "[proxy:0@n1] HYDU_create_process (lib/utils/launch.c:24): pipe error (Too many open files) | launch-failed",
        "[mpiexec@n1] match_arg (utils/args/args.c:160): unrecognized argument allow-run-as-root | bad-option",
        "[   38.773115] NVRM: RmInitAdapter failed! (0x26:0xffff:1127) | gpu-fault"
      })
  void toolsTellOfTheirFailuresInTheirOwnWords(String line, String expected) throws Exception {
    assertThat(diagnose(line + "\n").failureClass()).isEqualTo(expected);
  }

  private Diagnosis diagnose(String log) throws Exception {
    LogTriage triage =
        new LogTriage(
            new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("any").recognition(),
            Workloads::hearSteps);
    Path file = Files.writeString(folder.resolve("job.log"), log);
    return triage.ended(file, Optional.empty(), OptionalInt.empty(), 15);
  }
}
