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
import org.junit.jupiter.params.provider.ValueSource;

/** Conclusions from logs alone, in words for which nobody had written a pattern. */
@Tag("joblog")
class UnknownWordsTest {
  @TempDir private Path folder;

  /** An echo says that something failed, but not what. */
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

  /** A tool's name contains the word, on a line that is marked as information. */
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

  /** Python raises the same errors for a program's environment as for the program. */
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
    assertThat(ofPython(raised)).isEqualTo(expected);
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
        "[   38.773115] NVRM: RmInitAdapter failed! (0x26:0xffff:1127) | gpu-fault",
        "ERROR  : Failed to set securebits: Invalid argument | container-start",
        "srun: error: CPU binding outside of job step allocation, allocated CPUs are: 0x34000004. | launch-failed",
        "prterun noticed that process rank 7 with PID 0 on node n1 exited on signal 6 (Aborted). | program-crash"
      })
  void toolsTellOfTheirFailuresInTheirOwnWords(String line, String expected) throws Exception {
    assertThat(diagnose(line + "\n").failureClass()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WARN[0000] Failed to add conmon to systemd sandbox cgroup: mkdir /sys/fs/cgroup/cpu: read-only file system",
        "[1583997000.118204] [n1:22817:0] ucm.c:101 UCX  WARN  UCX is unable to handle VM_UNMAP event.",
        "2020-06-17 16:46:34.480694: W tensorflow/core/kernels/data/generator_dataset_op.cc:103] Error occurred when finalizing GeneratorDataset iterator",
        "n1:1:2 [0] graph/search.cc:731 NCCL WARN Could not find a path for pattern 4: error, falling back to simple order",
        "slurmstepd: error: xcgroup_instantiate: unable to create cgroup '/sys/fs/cgroup/memory/slurm/uid_8' : Cannot allocate memory"
      })
  void whatAProgramGoesOnFromAccusesNobody(String line) throws Exception {
    assertThat(diagnose(line + "\nfinished\n").failureClass()).isEqualTo("no-failure-found");
  }

  /** A job's settings do not show why it died. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[main][ERROR] - Error executing job with: ['model.gradient_checkpointing=true', 'out=/ckpt'] | unclassified",
        "RuntimeError: no run for --nccl-debug=INFO --save_safetensors | program-error",
        "ValueError: Some specified arguments are not used by the parser: ['--save_safetensors'] | bad-option"
      })
  void settingsThatAnErrorQuotesAreNoWordsOfItsOwn(String raised, String expected)
      throws Exception {
    assertThat(ofPython(raised)).isEqualTo(expected);
  }

  /** XLA's other parts print the same words as its compiler. */
  @ParameterizedTest
  @CsvSource({
    "pjrt/gpu_device.cc:345, unclassified",
    "service/gpu/gpu_compiler.cc:626, xla-compile"
  })
  void aCheckOfTheCompilerIsOneThatStandsInItsFiles(String file, String expected) throws Exception {
    assertThat(
            diagnose(
                    "2022-08-11 15:24:55.438102: E external/xla/xla/status_macros.cc:57] INTERNAL:"
                        + " RET_CHECK failure (external/xla/xla/"
                        + file
                        + ") a == b\n")
                .failureClass())
        .isEqualTo(expected);
  }

  private Diagnosis diagnose(String log) throws Exception {
    LogTriage triage =
        new LogTriage(
            new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("any").recognition(),
            Workloads::hearSteps);
    Path file = Files.writeString(folder.resolve("job.log"), log);
    return triage.ended(file, Optional.empty(), OptionalInt.empty(), 15);
  }

  private String ofPython(String raised) throws Exception {
    return diagnose(
            "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n"
                + raised
                + "\n")
        .failureClass();
  }
}
