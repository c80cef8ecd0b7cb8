package io.nightsweep.bench;

import io.nightsweep.files.ForeignFile;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.DocumentAudit;
import io.nightsweep.workload.kernels.KernelResult;
import io.nightsweep.workload.kernels.RecordAudit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns the files of one program start into rows: exactly one for each case that it was given. */
final class RunReader {
  private static final int WRONG_ELEMENTS = 3;
  private static final int CASE_FAILED = 4;
  private static final int NOTHING_MEASURED = 5;
  private static final int REFUSED_CONTROL = 6;

  /**
   * Exit codes with which the program has written a record for each case, including failed ones.
   */
  private static final Set<Integer> CASES_TELL =
      Set.of(0, WRONG_ELEMENTS, CASE_FAILED, NOTHING_MEASURED);

  /** Tolerance between a rank's clock and the job's. */
  private static final double CLOCKS = 1.01;

  /** Many times more than a job of the program writes. */
  private static final int MOST_BYTES = 64 << 20;

  private final Shard shard;
  private final Ordered ordered;

  /**
   * What the job was to run, besides its cases.
   *
   * @param nodesAreHosts whether each node is a separate host, as on a real cluster
   * @param sideEnvironment the environment that the job must have had
   * @param fault that a test injects; {@code none} otherwise
   */
  record Ordered(
      Study.Sampling sampling,
      boolean nodesAreHosts,
      Map<String, String> sideEnvironment,
      String fault) {}

  RunReader(Shard shard, Ordered ordered) {
    this.shard = shard;
    this.ordered = ordered;
  }

  /**
   * @param result present where the program left a complete document
   * @param problems records of cases that were not in the control document, and duplicate records
   */
  record Read(List<CaseRow> rows, Optional<KernelResult> result, List<String> problems) {}

  private record Records(
      List<KernelResult.Case> cases, Optional<KernelResult> whole, Optional<String> spoilt) {}

  /**
   * @param jobSeconds duration of the whole job by its own clock; absent where it did not finish
   */
  Read read(RunFiles files, List<PlannedCase> sent, JobRunner.Ended end, OptionalDouble jobSeconds)
      throws IOException {
    Optional<Integer> exit = exit(files.exit());
    Records records = records(files, exit, jobSeconds);
    List<String> problems = new ArrayList<>();
    Map<String, KernelResult.Case> byId = new LinkedHashMap<>();
    for (KernelResult.Case one : records.cases()) {
      if (byId.containsKey(one.caseId())) {
        problems.add("duplicate record of case " + one.caseId());
      }
      // If a case has two records, the one with more wrong elements counts.
      byId.merge(one.caseId(), one, (first, next) -> wrong(next) > wrong(first) ? next : first);
    }
    List<CaseRow> rows = new ArrayList<>();
    String log = text(files.log());
    String ended = "exit " + words(exit) + "; " + end.words();
    for (PlannedCase planned : sent) {
      Optional<KernelResult.Case> record = Optional.ofNullable(byId.remove(planned.caseId()));
      Optional<CaseCause> fault =
          CaseCause.told(records.spoilt())
              .or(
                  () ->
                      record.isPresent()
                          ? mismatch(planned, record.get(), records.whole(), ended)
                          : Optional.of(lost(planned, log, exit, ended)));
      rows.add(
          CaseRow.of(
              shard,
              files.run(),
              Optional.of(end.job().value()),
              planned,
              fault.isPresent()
                  ? CaseDisposition.FAILED
                  : CaseDisposition.of(record.orElseThrow().disposition()),
              fault.or(() -> CaseCause.told(record.flatMap(r -> Optional.ofNullable(r.reason())))),
              record));
    }
    byId.keySet().forEach(id -> problems.add("extra record of case " + id));
    return new Read(rows, records.whole(), problems);
  }

  private Records records(RunFiles files, Optional<Integer> exit, OptionalDouble jobSeconds)
      throws IOException {
    if (!Files.exists(files.result())) {
      return new Records(partial(files), Optional.empty(), Optional.empty());
    }
    try {
      KernelResult whole = KernelResult.readAll(files.result(), MOST_BYTES);
      Optional<String> spoilt =
          exit.filter(CASES_TELL::contains).isPresent()
              ? unlike(whole)
                  .or(() -> beyond(whole, jobSeconds))
                  .or(() -> otherEnd(whole, exit.orElseThrow()))
              : Optional.of("a rank ended with exit " + words(exit));
      return new Records(whole.cases(), Optional.of(whole), spoilt);
    } catch (IOException e) {
      // The records written before stay as evidence: wrong elements count permanently.
      return new Records(
          partial(files),
          Optional.empty(),
          Optional.of("its result cannot be read: " + firstLine(e)));
    }
  }

  /**
   * The cases that a job had finished before it ended early, and the case in which a rank failed.
   */
  private static List<KernelResult.Case> partial(RunFiles files) throws IOException {
    List<KernelResult.Case> cases = new ArrayList<>();
    List<Path> sources = new ArrayList<>();
    sources.add(files.rows());
    String failed = files.result().getFileName() + ".failed.";
    if (Files.isDirectory(files.directory())) {
      try (Stream<Path> all = Files.list(files.directory())) {
        all.filter(f -> String.valueOf(f.getFileName()).startsWith(failed))
            .sorted()
            .limit(1)
            .forEach(sources::add);
      }
    }
    for (Path source : sources) {
      for (String line : text(source).lines().toList()) {
        try {
          cases.add(KernelResult.readCase(line));
        } catch (IOException e) {
          // A cut-off line is skipped: its case counts as lost.
        }
      }
    }
    return cases;
  }

  /** How the job differs from the plan. */
  private Optional<String> unlike(KernelResult whole) {
    ShardKey key = shard.key();
    return DocumentAudit.contradiction(
        whole,
        new DocumentAudit.JobOrder(
            shard
                .cases()
                .getFirst()
                .identity()
                .path("metricContract")
                .asText(whole.metricContract()),
            ordered.fault(),
            key.ranks(),
            key.nodes(),
            ordered.nodesAreHosts(),
            key.deviceKind().equals("cpu"),
            ordered.sideEnvironment()));
  }

  /**
   * Checks that the times of all cases, which run one after another, do not exceed the job's time.
   * Later studies use these times for projections.
   */
  private static Optional<String> beyond(KernelResult whole, OptionalDouble jobSeconds) {
    double cases =
        whole.cases().stream().mapToDouble(c -> c.facts().path("elapsedSeconds").asDouble()).sum();
    return jobSeconds.isPresent() && cases > CLOCKS * jobSeconds.getAsDouble()
        ? Optional.of(
            "its cases took " + cases + " seconds where its job took " + jobSeconds.getAsDouble())
        : Optional.empty();
  }

  private static long wrong(KernelResult.Case one) {
    return Objects.requireNonNullElse(one.wrong(), 0L);
  }

  /**
   * Checks that exit code and document agree: if the exit code reports an error, the document must
   * too.
   */
  private static Optional<String> otherEnd(KernelResult whole, int exit) {
    boolean isWrong = whole.cases().stream().anyMatch(c -> wrong(c) > 0);
    Set<String> dispositions =
        whole.cases().stream().map(KernelResult.Case::disposition).collect(Collectors.toSet());
    int follows =
        isWrong
            ? WRONG_ELEMENTS
            : dispositions.contains("failed")
                ? CASE_FAILED
                : dispositions.contains("measured") ? 0 : NOTHING_MEASURED;
    return exit == 0 || exit == follows
        ? Optional.empty()
        : Optional.of(
            "it ended with exit " + exit + " where " + follows + " follows from its cases");
  }

  private Optional<CaseCause> mismatch(
      PlannedCase planned, KernelResult.Case record, Optional<KernelResult> whole, String ended) {
    if (!planned.identity().equals(record.identity())) {
      return Optional.of(CaseCause.told("its record has another identity: " + record.identity()));
    }
    Study.Sampling taken =
        new Study.Sampling(record.iterations(), record.trials(), record.warmup());
    if (!taken.equals(ordered.sampling())) {
      return Optional.of(
          CaseCause.told(
              "it was sampled as " + taken + " where " + ordered.sampling() + " was ordered"));
    }
    return whole.isPresent()
        ? CaseCause.told(DocumentAudit.contradiction(whole.get(), record))
        : CaseCause.told(RecordAudit.contradiction(record))
            .or(
                () ->
                    record.disposition().equals("measured")
                        ? Optional.of(new CaseCause(CaseCause.Kind.UNATTESTED, ended))
                        : Optional.empty());
  }

  private static CaseCause lost(
      PlannedCase planned, String log, Optional<Integer> exit, String ended) {
    if (exit.filter(code -> code == REFUSED_CONTROL).isPresent()) {
      return new CaseCause(CaseCause.Kind.CONTROL_REFUSED, lastError(log) + " (" + ended + ")");
    }
    boolean isBegun = log.contains("kernel case start: " + planned.caseId() + " ");
    return new CaseCause(isBegun ? CaseCause.Kind.ENDED_IN_CASE : CaseCause.Kind.NOT_BEGUN, ended);
  }

  private static String lastError(String log) {
    return log.lines().filter(l -> l.startsWith("error: ")).findFirst().orElse("no word of it");
  }

  /** Empty where the file is missing, not a regular file, or longer than the program writes. */
  private static String text(Path file) {
    try {
      return new String(ForeignFile.read(file, MOST_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  private static Optional<Integer> exit(Path file) {
    String text = text(file).strip();
    return text.matches("\\d{1,3}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  private static String words(Optional<Integer> exit) {
    return exit.map(Objects::toString).orElse("unknown");
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
