package io.nightsweep.bench;

import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.Shell;
import io.nightsweep.cluster.Submission;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.plan.Study;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The job of a shard. The program starts once for each side and round; the sides take turns in
 * going first.
 */
final class ShardJob {
  private static final Pattern TIMES =
      Pattern.compile("(\\d{1,12})[.,](\\d{6}) (\\d{1,12})[.,](\\d{6})");
  private static final int MOST_BYTES = 100;

  private final BenchRequest request;
  private final Study study;
  private final Shard shard;
  private final JobTurn turn;
  private final Path work;
  private final JobFiles files;

  /**
   * Identifies a shard's job.
   *
   * @param part from 1: an attempt may consist of several jobs, one after another
   */
  record JobTurn(int attempt, int part) {
    /** Names folders, jobs and control documents. */
    String name() {
      return "attempt-" + attempt + (part == 1 ? "" : "-" + part);
    }
  }

  /**
   * @param work the folder of the run that contains the job; the folder has the run's name
   */
  ShardJob(BenchRequest request, Study study, Shard shard, JobTurn turn, Path work) {
    this.request = request;
    this.study = study;
    this.shard = shard;
    this.turn = turn;
    this.work = work;
    this.files = new JobFiles(work.resolve(shard.id()).resolve(turn.name()));
  }

  JobTurn turn() {
    return turn;
  }

  /** Its control document's name in a bundle. */
  String controlName() {
    return shard.id() + "-" + turn.name() + ".json";
  }

  /** The job's handle, the same whenever it is computed: its name is unique among all runs. */
  JobHandle handle() throws IOException {
    return new JobHandle(
        jobName(), Optional.empty(), Files.getLastModifiedTime(control()).toInstant(), files);
  }

  private String jobName() {
    return "bench-"
        + study.name()
        + "-"
        + work.getFileName()
        + "-"
        + shard.id()
        + "-"
        + turn.name();
  }

  /** Every run of the program, in the order in which the job starts them. */
  List<RunKey> runs() {
    List<String> names =
        study.sides().isEmpty() ? List.of(CaseRow.ONE_SIDE) : List.copyOf(study.sides().keySet());
    List<RunKey> runs = new ArrayList<>();
    for (int round = 1; round <= study.rounds(); round++) {
      for (String side : round % 2 == 1 ? names : names.reversed()) {
        runs.add(new RunKey(side, round, turn.attempt()));
      }
    }
    return runs;
  }

  RunFiles files(RunKey run) {
    return new RunFiles(files.output(), run);
  }

  /** The copy of the control document that the job verifies. */
  Path control() {
    return files.output().resolve("control.json");
  }

  private Path times() {
    return files.output().resolve("times");
  }

  /**
   * Seconds by the job's own clock, with microseconds, since some clusters report whole seconds;
   * absent where the job did not finish.
   */
  OptionalDouble took() {
    try {
      return seconds(
          new String(ForeignFile.read(times(), MOST_BYTES), StandardCharsets.US_ASCII).strip());
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }

  /** Seconds between two times printed by bash, with the locale's decimal sign. */
  static OptionalDouble seconds(String times) {
    Matcher both = TIMES.matcher(times);
    if (!both.matches()) {
      return OptionalDouble.empty();
    }
    long micros =
        Long.parseLong(both.group(3) + both.group(4))
            - Long.parseLong(both.group(1) + both.group(2));
    return micros >= 0 ? OptionalDouble.of(micros / 1e6) : OptionalDouble.empty();
  }

  /** Writes the control document and returns the submission. */
  Submission prepare(ControlDocument control) throws IOException {
    Files.createDirectories(files.output());
    Durable.write(control(), control.text().getBytes(StandardCharsets.UTF_8));
    StringBuilder payload =
        new StringBuilder("nightsweep_began=$EPOCHREALTIME\nnightsweep_worst=0\n");
    runs().forEach(run -> payload.append(start(run, control.sha256())));
    payload.append(
        "echo \"$nightsweep_began $EPOCHREALTIME\" >" + Shell.quote(times().toString()) + "\n");
    payload.append("return \"$nightsweep_worst\"\n");
    return new Submission(
        jobName(),
        "nightsweep-bench-" + request.id(),
        request.nodes().subList(0, shard.key().nodes()),
        request.partition(),
        shard.key().ranks(),
        shard.key().perTask(study.cpusPerTask()),
        study.timeLimit(),
        Map.of(),
        payload.toString(),
        files.directory(),
        files);
  }

  private String start(RunKey run, String sha256) {
    RunFiles out = files(run);
    Optional<Study.Side> side = Optional.ofNullable(study.sides().get(run.side()));
    StringBuilder line = new StringBuilder("env");
    side.ifPresent(
        s -> s.env().forEach((k, v) -> line.append(' ').append(Shell.quote(k + "=" + v))));
    line.append(" \"${NIGHTSWEEP_LAUNCH[@]}\" ");
    List<String> arguments = new ArrayList<>();
    arguments.add(side.map(request::program).orElse(request.program()).toString());
    arguments.addAll(List.of("run", "--control", control().toString()));
    arguments.addAll(List.of("--control-sha256", sha256));
    arguments.addAll(List.of("--backend", shard.key().backend()));
    arguments.addAll(List.of("--rows", out.rows().toString()));
    arguments.addAll(List.of("--out", out.result().toString()));
    request
        .hostSalt()
        .ifPresent(salt -> arguments.addAll(List.of("--hash-hosts", "--host-salt", salt)));
    request.inject().ifPresent(fault -> arguments.addAll(List.of("--inject", fault)));
    arguments.forEach(argument -> line.append(Shell.quote(argument)).append(' '));
    return "nightsweep_code=0\n"
        + line
        + ">"
        + Shell.quote(out.log().toString())
        + " 2>&1 || nightsweep_code=$?\n"
        + "echo \"$nightsweep_code\" >"
        + Shell.quote(out.exit().toString())
        + "\n((nightsweep_code == 0)) || nightsweep_worst=$nightsweep_code\n";
  }
}
