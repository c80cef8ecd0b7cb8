package io.nightsweep.conductor;

import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Power;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.DetectableGain;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures the cell's noise from repeated baseline runs and derives the smallest gain that the
 * night's jobs can detect.
 */
public final class Calibration {
  private static final String KEY = "calibration";

  private Calibration() {}

  /** Empty until the baseline was repeated and the number of jobs is known. */
  public static Optional<DetectableGain> of(SweepState s) {
    return s.startedSpec().isEmpty() ? Optional.empty() : of(s, Standings.board(s));
  }

  private static Optional<DetectableGain> of(SweepState s, Leaderboard board) {
    if (!board.noise().known()) {
      return Optional.empty();
    }
    Policy policy = s.spec().policy();
    double noise = board.noise().planning(policy.expectedNoise());
    int profiles = (int) s.profileOrder().stream().filter(p -> !p.equals(Profile.BASELINE)).count();
    return jobs(s)
        .map(
            jobs ->
                new DetectableGain(
                    noise,
                    profiles,
                    jobs,
                    Power.smallestDetectableGain(
                        noise, Math.max(1, profiles), jobs, policy.blockSize())));
  }

  /** Warns once, early in the night, if the sweep cannot detect a gain of the target's size. */
  static List<Decision> judge(View view) {
    SweepState s = view.state();
    if (s.notices().containsKey(KEY) || !isBaselineClosed(s) || isPastFirstLook(s)) {
      return List.of();
    }
    Policy policy = s.spec().policy();
    Optional<DetectableGain> detectable =
        of(s, view.board()).filter(d -> d.isBlindTo(policy.targetGain()));
    if (detectable.isEmpty()) {
      return List.of();
    }
    double targetPercent = 100 * policy.targetGain();
    List<Decision> decisions = new ArrayList<>();
    decisions.add(
        new Decision.Append(
            new Event.NoticeIssued(
                KEY,
                new Notice.Incident(
                    new Occurrence.TargetTooSmall(targetPercent, detectable.get()))),
            Statement.phrase("because-noise")));
    if (policy.whenBlind() == Policy.WhenBlind.HALT) {
      decisions.add(
          new Decision.Append(
              new Event.SweepHalted(
                  new HaltCause.TargetTooSmall(targetPercent, detectable.get()), List.of()),
              Statement.phrase("because-policy-halts")));
    }
    return decisions;
  }

  private static boolean isBaselineClosed(SweepState s) {
    return s.waves().stream().anyMatch(w -> w.is(Wave.Kind.BASELINE) && w.closedAt().isPresent());
  }

  private static boolean isPastFirstLook(SweepState s) {
    return s.waves().stream()
        .filter(w -> w.is(Wave.Kind.SCREEN) || w.is(Wave.Kind.RACE))
        .map(WaveState::closedAt)
        .anyMatch(Optional::isPresent);
  }

  private static Optional<Integer> jobs(SweepState s) {
    Optional<Duration> night =
        s.deadline().map(end -> Duration.between(s.startedAt().orElseThrow(), end));
    Optional<Duration> running = s.budget().runningTime(s.cell().nodes().size());
    Optional<Duration> each = Allowance.typicalJob(s);
    return Stream.of(
            s.budget().jobs(),
            night.flatMap(time -> each.map(job -> fitting(time, job))),
            running.flatMap(time -> each.map(job -> fitting(time, job))))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  private static int fitting(Duration time, Duration each) {
    return (int) Math.min(Integer.MAX_VALUE, time.toMillis() / Math.max(1, each.toMillis()));
  }
}
