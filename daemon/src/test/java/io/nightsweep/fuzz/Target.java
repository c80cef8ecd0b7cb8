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
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A reader of foreign input, with files of this project as seeds. */
enum Target {
  HLO(HloFuzz.class, "src/test/resources/evidence"),
  XPLANE(XplaneFuzz.class, "src/test/resources/evidence"),
  TRACE_JSON(TraceJsonFuzz.class, "src/test/resources/evidence"),
  SWEEP_FILE(SweepFileFuzz.class, "../templates"),
  PLAYBOOK(PlaybookFuzz.class, "../playbooks"),
  SLURM_OUTPUT(SlurmOutputFuzz.class, "src/test/resources/fuzz/seeds/slurm"),
  HOSTLIST(HostlistFuzz.class, "src/test/resources/fuzz/seeds/hostlist"),
  EXIT_RECORD(ExitRecordFuzz.class, "src/test/resources/fuzz/seeds/exit"),
  KERNEL_RESULT(KernelResultFuzz.class, "src/test/resources/fuzz/seeds/result"),
  JOB_LOG(JobLogFuzz.class, "../playbooks/samples"),
  JOURNAL(JournalFuzz.class, "src/test/resources/fuzz/seeds/journal"),
  UPDATES(UpdatesFuzz.class, "src/test/resources/fuzz/seeds/updates"),
  REQUESTS(RequestFuzz.class, "src/test/resources/fuzz/seeds/requests");

  /** Longer inputs slow the fuzzer down and find no more in these readers. */
  private static final int LONGEST_SEED_BYTES = 64 << 10;

  private static final Path KEPT = Path.of("src/test/resources/fuzz/crashes");

  private final Class<?> fuzzed;
  private final Path seeds;

  Target(Class<?> fuzzed, String seeds) {
    this.fuzzed = fuzzed;
    this.seeds = Path.of(seeds);
  }

  Class<?> fuzzed() {
    return fuzzed;
  }

  /** Throws if the reader fails on the input. */
  void read(byte[] input) throws Exception {
    try {
      fuzzed.getMethod("fuzzerTestOneInput", byte[].class).invoke(null, (Object) input);
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case Error error -> throw error;
        case Exception failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }

  /** The folder for inputs on which the reader once failed, which later runs use as samples. */
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
