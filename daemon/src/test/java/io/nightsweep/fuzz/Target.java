package io.nightsweep.fuzz;

import io.nightsweep.chat.UpdatesFuzz;
import io.nightsweep.cluster.ExitRecordFuzz;
import io.nightsweep.cluster.HostlistFuzz;
import io.nightsweep.cluster.slurm.SlurmOutputFuzz;
import io.nightsweep.engine.RequestFuzz;
import io.nightsweep.evidence.HloFuzz;
import io.nightsweep.evidence.TraceJsonFuzz;
import io.nightsweep.evidence.XplaneFuzz;
import io.nightsweep.joblog.JobLogFuzz;
import io.nightsweep.journal.JournalFuzz;
import io.nightsweep.plan.PlaybookFuzz;
import io.nightsweep.plan.SweepFileFuzz;
import io.nightsweep.workload.kernels.KernelResultFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A reader of what others wrote, with files of the house to begin from. */
enum Target {
  HLO(HloFuzz.class, HloFuzz::fuzzerTestOneInput, "src/test/resources/evidence"),
  XPLANE(XplaneFuzz.class, XplaneFuzz::fuzzerTestOneInput, "src/test/resources/evidence"),
  TRACE_JSON(TraceJsonFuzz.class, TraceJsonFuzz::fuzzerTestOneInput, "src/test/resources/evidence"),
  SWEEP_FILE(SweepFileFuzz.class, SweepFileFuzz::fuzzerTestOneInput, "../templates"),
  PLAYBOOK(PlaybookFuzz.class, PlaybookFuzz::fuzzerTestOneInput, "../playbooks"),
  SLURM_OUTPUT(
      SlurmOutputFuzz.class,
      SlurmOutputFuzz::fuzzerTestOneInput,
      "src/test/resources/fuzz/seeds/slurm"),
  HOSTLIST(
      HostlistFuzz.class,
      HostlistFuzz::fuzzerTestOneInput,
      "src/test/resources/fuzz/seeds/hostlist"),
  EXIT_RECORD(
      ExitRecordFuzz.class,
      ExitRecordFuzz::fuzzerTestOneInput,
      "src/test/resources/fuzz/seeds/exit"),
  KERNEL_RESULT(
      KernelResultFuzz.class,
      KernelResultFuzz::fuzzerTestOneInput,
      "src/test/resources/fuzz/seeds/result"),
  JOB_LOG(JobLogFuzz.class, JobLogFuzz::fuzzerTestOneInput, "../playbooks/samples"),
  JOURNAL(
      JournalFuzz.class, JournalFuzz::fuzzerTestOneInput, "src/test/resources/fuzz/seeds/journal"),
  UPDATES(
      UpdatesFuzz.class, UpdatesFuzz::fuzzerTestOneInput, "src/test/resources/fuzz/seeds/updates"),
  REQUESTS(
      RequestFuzz.class, RequestFuzz::fuzzerTestOneInput, "src/test/resources/fuzz/seeds/requests");

  /** Longer inputs make the fuzzer slow and find no more in readers such as these. */
  private static final int LONGEST_SEED_BYTES = 64 << 10;

  private static final Path KEPT = Path.of("src/test/resources/fuzz/crashes");

  /** Throws what it must not. */
  private interface Reader {
    void read(byte[] input) throws Exception;
  }

  private final Class<?> fuzzed;
  private final Reader reader;
  private final Path seeds;

  /**
   * @param reader its method, which the fuzzer calls by its name
   */
  Target(Class<?> fuzzed, Reader reader, String seeds) {
    this.fuzzed = fuzzed;
    this.reader = reader;
    this.seeds = Path.of(seeds);
  }

  Class<?> fuzzed() {
    return fuzzed;
  }

  /** Throws where the reader fails on the input. */
  void read(byte[] input) throws Exception {
    reader.read(input);
  }

  /** Where inputs on which it once failed are kept, and run as samples ever after. */
  Path kept() {
    return KEPT.resolve(name());
  }

  List<Path> samples() throws IOException {
    return Stream.concat(files(seeds).stream(), files(kept()).stream()).toList();
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder, 1)) {
      return files
          .filter(f -> Files.isRegularFile(f) && f.toFile().length() <= LONGEST_SEED_BYTES)
          .sorted()
          .toList();
    }
  }
}
