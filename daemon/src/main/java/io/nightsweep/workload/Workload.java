package io.nightsweep.workload;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What runs: renders a submission, and reads what came of it. */
public interface Workload {
  /**
   * What to launch for one attempt.
   *
   * @throws UnsupportedTrialException where this workload or build cannot run the profile
   */
  Launch launch(Request request) throws UnsupportedTrialException;

  /** Reads a running or ended attempt's output; called once per tick while it runs. */
  Reading read(Request request, Path log);

  /** Before anything starts: what is missing on this machine, each with what to do about it. */
  List<Problem> preflight(SweepSpec spec);

  /**
   * @param outputDirectory the attempt's own, on the shared filesystem
   */
  record Request(
      SweepSpec spec,
      Trial trial,
      Profile profile,
      ConfigTag configTag,
      AttemptId attempt,
      Path outputDirectory) {}

  /**
   * @param payload lines of bash, run on the first node of the job
   * @param tasks ranks over all nodes
   * @param env exported last
   */
  record Launch(
      String payload,
      int tasks,
      Map<String, String> env,
      Optional<Duration> timeLimit,
      Optional<Path> workingDirectory) {}

  /**
   * @param step last step seen, -1 before the first
   * @param stepsTotal 0 where unknown
   * @param measurement present once the output holds a whole measurement
   * @param effective whether the job attests that it saw the profile that was scheduled
   */
  record Reading(
      int step, int stepsTotal, Optional<Measurement> measurement, Effective effective) {}

  /** What the job's own environment says of the profile. */
  sealed interface Effective {
    record NotYet() implements Effective {}

    record AsScheduled() implements Effective {}

    record Different(String found) implements Effective {}
  }

  record Problem(String found, String whatToDo, boolean fatal) {}
}
