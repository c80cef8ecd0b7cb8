package io.nightsweep.cli;

import io.nightsweep.engine.RealParts;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads an existing log as if it were a job's log under the sweep file. */
final class LogReading {
  /** The beginning of a command that ends at the first program that fails. */
  private static final Pattern STRICT = Pattern.compile("\\s*set -\\w*e");

  private final SweepSpec spec;
  private final Workload workload;

  LogReading(SweepSpec spec, RealParts parts) {
    this.spec = spec;
    this.workload = parts.workload(spec.workload());
  }

  /**
   * What can be measured from the log, or why nothing can.
   *
   * @throws IOException where it cannot be read
   */
  List<Fitness> of(Path file) throws IOException {
    Workload.LaunchRequest request = request(file);
    JobLog log = new JobLog(file);
    workload.attend(request, log);
    log.finish();
    Workload.WorkloadReading reading = workload.read(request, log);
    List<Fitness> found = new ArrayList<>();
    if (reading.step() >= 0) {
      found.add(
          fit(
              "steps in the log, by the number of its last: "
                  + (reading.step() + 1)
                  + (reading.stepsTotal() > 0 ? "; in a run: " + reading.stepsTotal() : "")));
    }
    Optional<Measurement> measured = reading.measurement();
    found.add(
        measured.isPresent()
            ? fit(words(measured.get()))
            : unmeasured(request, log)
                .map(LogReading::unfit)
                .orElseGet(
                    () ->
                        new Fitness(
                            Fitness.Grade.UNFIT,
                            "the log holds no whole measurement",
                            "see what it means: nightsweep triage " + file)));
    reading.divergedAt().ifPresent(step -> found.add(diverged(step)));
    return found;
  }

  /**
   * How the job ended is not known. A command that ends at the first failure did not end well after
   * a crash.
   */
  private Optional<Diagnosis> unmeasured(Workload.LaunchRequest request, JobLog log) {
    boolean isStrict = STRICT.matcher(spec.settings().getOrDefault("command", "")).lookingAt();
    return workload
        .unmeasured(request, log, !isStrict)
        .or(() -> workload.unmeasured(request, log, true));
  }

  /** Such a run is no measurement, whatever its speed. */
  private static Fitness diverged(int step) {
    return new Fitness(
        Fitness.Grade.UNFIT,
        KnownClasses.NAN_LOSS
            + ": "
            + Phrases.EN.text(Statement.phrase("loss-nan-from", step))
            + ", so a sweep does not count the run",
        "correct the program or its settings until the loss stays a number");
  }

  private String words(Measurement m) {
    return String.format(
        Locale.ROOT,
        "measured: %s %.6g %s, the mean of steps %d to %d",
        spec.metric().name(),
        m.value(),
        spec.metric().unit(),
        m.windowFrom(),
        m.windowTo());
  }

  private static Fitness fit(String text) {
    return new Fitness(Fitness.Grade.FIT, text, "");
  }

  private static Fitness unfit(Diagnosis d) {
    String detail = Phrases.EN.text(d.detail());
    int remedy = detail.indexOf(". ");
    return remedy < 0
        ? new Fitness(
            Fitness.Grade.UNFIT,
            detail,
            "start the command by hand, and correct it or the sweep file")
        : new Fitness(
            Fitness.Grade.UNFIT,
            d.failureClass() + ": " + detail.substring(0, remedy),
            // Drops the advice to try the pattern on this log, which is what the reader is doing.
            detail.substring(remedy + 2).replaceFirst(", and try it on this log with: .*", ""));
  }

  /** The request for a baseline run on the primary config tag. */
  private Workload.LaunchRequest request(Path file) {
    Profile baseline =
        spec.profiles().stream()
            .filter(p -> p.name().equals(Profile.BASELINE))
            .findFirst()
            .orElseGet(Profile::baseline);
    TrialId trial = new TrialId(1);
    return new Workload.LaunchRequest(
        spec,
        new Trial(
            trial,
            "doctor",
            1,
            Trial.Purpose.CONTROL,
            baseline.name(),
            spec.primaryTag().name(),
            1),
        baseline,
        spec.primaryTag(),
        trial.attempt(1),
        "doctor",
        file.toAbsolutePath().resolveSibling("."));
  }
}
