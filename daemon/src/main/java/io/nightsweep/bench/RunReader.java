package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.FitsAudit;
import io.nightsweep.workload.kernels.KernelResult;
import io.nightsweep.workload.kernels.LimitsAudit;
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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes rows of what one start of the program left: exactly one for each case it was sent. */
final class RunReader {
  /** Measured, and what the program calls a failure of a case: its own records tell. */
  private static final Set<Integer> CASES_TELL = Set.of(0, 3, 4, 5);

  private static final int REFUSED_CONTROL = 6;

  /** Many times what a job of the program writes. */
  private static final int MOST_BYTES = 64 << 20;

  /** What is measured twice differs by so much; the program's own figure. */
  private static final double ROOFLINE_TOLERANCE = 1.1;

  private final Shard shard;
  private final Ordered ordered;

  /**
   * What the job was asked for besides its cases.
   *
   * @param nodesAreHosts whether each node is a host of its own, as on a real cluster
   * @param sideEnvironment what the job must have seen
   * @param fault that a test injects; {@code none} without a test
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
   * @param result present where the program left a whole document
   * @param problems records that belong to no case that was sent, or twice to one
   */
  record Read(List<Row> rows, Optional<KernelResult> result, List<String> problems) {}

  private record Records(
      List<KernelResult.Case> cases, Optional<KernelResult> whole, Optional<String> spoilt) {}

  Read read(RunFiles files, List<PlannedCase> sent, JobRunner.Ended end) throws IOException {
    Optional<Integer> exit = exit(files.exit());
    Records records = records(files, exit);
    List<String> problems = new ArrayList<>();
    Map<String, KernelResult.Case> byId = new LinkedHashMap<>();
    for (KernelResult.Case one : records.cases()) {
      if (byId.putIfAbsent(one.caseId(), one) != null) {
        problems.add("duplicate record of case " + one.caseId());
      }
    }
    List<Row> rows = new ArrayList<>();
    String log = text(files.log());
    for (PlannedCase planned : sent) {
      Optional<KernelResult.Case> record = Optional.ofNullable(byId.remove(planned.caseId()));
      Optional<String> fault =
          records
              .spoilt()
              .or(
                  () ->
                      record.isPresent()
                          ? mismatch(planned, record.get(), records.whole())
                          : Optional.of(lost(planned, log, exit, end)));
      rows.add(
          Row.of(
              shard,
              files.run(),
              Optional.of(end.job().value()),
              planned,
              fault.isPresent()
                  ? CaseDisposition.FAILED
                  : CaseDisposition.of(record.orElseThrow().disposition()),
              fault.or(() -> record.flatMap(r -> Optional.ofNullable(r.reason()))),
              record));
    }
    byId.keySet().forEach(id -> problems.add("extra record of case " + id));
    return new Read(rows, records.whole(), problems);
  }

  private Records records(RunFiles files, Optional<Integer> exit) throws IOException {
    if (!Files.exists(files.result())) {
      return new Records(partial(files), Optional.empty(), Optional.empty());
    }
    try {
      KernelResult whole = KernelResult.readAll(files.result(), MOST_BYTES);
      Optional<String> spoilt =
          exit.filter(CASES_TELL::contains).isPresent()
              ? unlike(whole)
              : Optional.of("a rank ended with exit " + words(exit));
      return new Records(whole.cases(), Optional.of(whole), spoilt);
    } catch (IOException e) {
      // What it had told before stays as evidence: wrong elements count for good.
      return new Records(
          partial(files),
          Optional.empty(),
          Optional.of("its result cannot be read: " + firstLine(e)));
    }
  }

  /** What a job that ended early had finished, and the case that a rank failed in. */
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
          // A line that was cut is no record: its case is told as one that was lost.
        }
      }
    }
    return cases;
  }

  /** What the job was otherwise than planned. */
  private Optional<String> unlike(KernelResult whole) {
    String contract =
        shard.cases().getFirst().identity().path("metricContract").asText(whole.metricContract());
    if (!whole.metricContract().equals(contract)) {
      return Optional.of(
          "its metric contract is '" + whole.metricContract() + "' instead of '" + contract + "'");
    }
    if (!whole.fault().equals(ordered.fault())) {
      return Optional.of("it has the fault '" + whole.fault() + "' injected");
    }
    if (whole.ranks() != shard.key().ranks()) {
      return Optional.of(whole.ranks() + " ranks ran where " + shard.key().ranks() + " were asked");
    }
    // What is above a limit is found by the run's own limits; a host's say nothing of a GPU.
    @Nullable JsonNode limits = whole.limits();
    if ((limits == null || limits.isNull()) && shard.key().deviceKind().equals("cpu")) {
      return Optional.of("it tells no limits of its run");
    }
    Optional<String> places = places(whole);
    if (places.isPresent()) {
      return places;
    }
    return ordered.sideEnvironment().entrySet().stream()
        .filter(e -> !e.getValue().equals(whole.environment().get(e.getKey())))
        .findFirst()
        .map(
            e ->
                "the job saw "
                    + e.getKey()
                    + "="
                    + whole.environment().get(e.getKey())
                    + " instead of "
                    + e.getValue());
  }

  /** Ranks on other hosts than asked: more or fewer hosts, or unevenly many ranks on them. */
  private Optional<String> places(KernelResult whole) {
    if (whole.hosts().size() != whole.ranks()) {
      return Optional.of(whole.hosts().size() + " hosts are told for " + whole.ranks() + " ranks");
    }
    Map<String, Long> ranksOf =
        whole.hosts().stream().collect(Collectors.groupingBy(h -> h, Collectors.counting()));
    int nodes = shard.key().nodes();
    if (ranksOf.size() != nodes && (ordered.nodesAreHosts() || ranksOf.size() > 1)) {
      return Optional.of(ranksOf.size() + " hosts ran where " + nodes + " were asked");
    }
    long perNode = whole.ranks() / nodes;
    return ranksOf.size() > 1 && ranksOf.values().stream().anyMatch(n -> n != perNode)
        ? Optional.of(
            "the hosts ran " + ranksOf.values() + " ranks where each was asked for " + perNode)
        : Optional.empty();
  }

  private Optional<String> mismatch(
      PlannedCase planned, KernelResult.Case record, Optional<KernelResult> whole) {
    if (!planned.identity().equals(record.identity())) {
      return Optional.of("its record has another identity: " + record.identity());
    }
    Study.Sampling taken =
        new Study.Sampling(record.iterations(), record.trials(), record.warmup());
    if (!taken.equals(ordered.sampling())) {
      return Optional.of(
          "it was sampled as " + taken + " where " + ordered.sampling() + " was ordered");
    }
    return RecordAudit.contradiction(record)
        .or(() -> whole.flatMap(w -> LimitsAudit.contradiction(record, w.limits())))
        .or(() -> aboveRoofline(record))
        .or(() -> whole.flatMap(FitsAudit::contradiction));
  }

  private static Optional<String> aboveRoofline(KernelResult.Case record) {
    return record.components().stream()
        .filter(c -> aboveLimit(c.ofCopyLimit()) || aboveLimit(c.ofFlopsLimit()))
        .findFirst()
        .filter(c -> record.disposition().equals("measured"))
        .map(c -> c.name() + " lies above the roofline of its own run");
  }

  private static boolean aboveLimit(@Nullable Double share) {
    return share != null && share > ROOFLINE_TOLERANCE;
  }

  private static String lost(
      PlannedCase planned, String log, Optional<Integer> exit, JobRunner.Ended end) {
    boolean started = log.contains("kernel case start: " + planned.caseId() + " ");
    String when =
        exit.filter(code -> code == REFUSED_CONTROL).isPresent()
            ? "the job refused its control document: " + lastError(log)
            : started ? "the program ended while the case ran" : "the case was not begun";
    return when + " (exit " + words(exit) + "; " + end.words() + ")";
  }

  private static String lastError(String log) {
    return log.lines().filter(l -> l.startsWith("error: ")).findFirst().orElse("no word of it");
  }

  /** Nothing of what is not there, is no regular file, or is longer than the program's. */
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
