package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Fits the candidates to the budget once the baseline has shown how long a job takes. A candidate
 * beyond the budget is put off: it runs last, and only if time is left.
 */
final class Fit {
  /** The usual share of jobs that fail: this many out of {@code USUAL_ENDED}. */
  private static final double USUAL_FAILED = 1;

  private static final double USUAL_ENDED = 20;

  private Fit() {}

  /** Reports once, before the first candidate runs, which candidates may exceed the budget. */
  static List<Decision> judge(View view) {
    SweepState s = view.state();
    List<WaveState> first = pendingFamily(s);
    Optional<Duration> each = view.typicalJob();
    Optional<AttemptId> timed = timed(s);
    if (first.isEmpty()
        || each.isEmpty()
        || timed.isEmpty()
        || !putOff(s).isEmpty()
        || !isPrepared(s, first.getFirst())
        || Mechanisms.areAwaited(view)) {
      return List.of();
    }
    List<String> candidates = candidates(s, first);
    int affordable =
        view.allowance().forFirstLooks(first.getFirst().wave())
            - first.size()
            - retries(s, view.allowance().jobs());
    List<String> putOff = last(s, candidates, candidates.size() - Math.max(1, affordable));
    if (putOff.isEmpty()) {
      return List.of();
    }
    int all = candidates(s, screens(s)).size();
    double minutes = each.get().toMillis() / 60_000.0;
    Statement statement =
        Statement.phrase(
            "because-fit",
            oneDecimal(minutes),
            all - putOff.size(),
            all,
            putOff.size(),
            String.join(", ", putOff),
            enough(view, putOff.size(), each.get()));
    return Decision.append(
        new Event.FindingMade(Finding.ofPutOff(timed.get(), statement, putOff, minutes)),
        Statement.phrase("because-job-time"));
  }

  /**
   * Estimates how many jobs will fail and run again, from the share so far and, while there are few
   * jobs, also from the usual share.
   */
  private static int retries(SweepState s, int jobs) {
    long ended = s.attempts().filter(a -> a.judgement().isPresent()).count();
    long failed = s.attempts().filter(a -> a.failure().isPresent()).count();
    return (int) Math.round(jobs * (failed + USUAL_FAILED) / (ended + USUAL_ENDED));
  }

  /** The candidates that run last, if time is left. */
  static Set<String> putOff(SweepState s) {
    return s.findings().stream()
        .map(Finding::putOff)
        .filter(candidates -> !candidates.isEmpty())
        .findFirst()
        .orElse(Set.of());
  }

  /** Whether the trial belongs to a block of candidates that were put off. */
  static boolean isPutOff(SweepState s, Trial trial) {
    return isPutOff(s, trial, putOff(s));
  }

  private static boolean isPutOff(SweepState s, Trial trial, Set<String> putOff) {
    return !putOff.isEmpty()
        && s.wave(trial.wave()).filter(w -> w.is(Wave.Kind.SCREEN)).isPresent()
        && s.trials().values().stream()
            .map(TrialState::trial)
            .filter(t -> t.block() == trial.block() && t.purpose() == Purpose.SCREEN)
            .allMatch(t -> putOff.contains(t.profile()));
  }

  /**
   * Candidates whose first job must wait for the profiles that have run, their race and their
   * confirmation: either they were put off, or the remaining jobs are reserved for those profiles,
   * or runs of those profiles are in progress.
   */
  static Set<TrialId> keptBack(View view) {
    SweepState s = view.state();
    Set<String> putOff = putOff(s);
    boolean isChoosing = isChoosing(s);
    return s.open().values().stream()
        .filter(TrialState::isWaiting)
        .map(TrialState::trial)
        .filter(
            t ->
                s.wave(t.wave())
                    .map(WaveState::wave)
                    .filter(w -> w.kind() == Wave.Kind.SCREEN)
                    .filter(
                        w ->
                            isChoosing
                                || isPutOff(s, t, putOff)
                                || view.allowance().spendableOn(w) <= 0)
                    .isPresent())
        .map(Trial::id)
        .collect(Collectors.toSet());
  }

  private static boolean isChoosing(SweepState s) {
    return s.open().values().stream()
        .map(t -> t.trial().wave())
        .distinct()
        .flatMap(wave -> s.wave(wave).stream())
        .anyMatch(w -> w.wave().kind().choosesByResults());
  }

  /** Trials that must end before results are compared: all except those that are kept back. */
  static List<TrialState> deciding(View view) {
    return view.state().open().values().stream().filter(t -> !view.isKeptBack(t)).toList();
  }

  /** Jobs for the first runs, with controls, of this wave and the later waves of its family. */
  static int needed(SweepState s, Wave wave) {
    Set<String> putOff = putOff(s);
    List<WaveState> family = Mechanisms.family(s, wave);
    int waves = (int) family.stream().filter(WaveState::isPending).count();
    int first =
        (int)
            Mechanisms.untried(s, family).stream()
                .filter(p -> !putOff.contains(p) && Search.isUntried(s, p))
                .count();
    int inEach = Math.ceilDiv(first, Math.max(1, waves));
    return first + waves * Math.ceilDiv(inEach, s.spec().policy().blockSize());
  }

  /**
   * Which limits of the budget have to grow, and how far, for this many jobs more than it allows.
   */
  private static Statement enough(View view, int more, Duration each) {
    SweepState s = view.state();
    int needed = view.allowance().jobs() + more;
    SequencedMap<String, String> enough = new LinkedHashMap<>();
    s.deadline()
        .ifPresent(
            end -> {
              Duration missing = each.multipliedBy(needed).minus(Duration.between(view.now(), end));
              if (missing.isPositive()) {
                Duration given = Duration.between(s.startedAt().orElse(view.now()), end);
                enough.put("hours", oneDecimal(given.plus(missing).toMinutes() / 60.0));
              }
            });
    s.jobsLeft()
        .filter(left -> left < needed)
        .flatMap(left -> s.budget().jobs().map(jobs -> jobs + needed - left))
        .ifPresent(jobs -> enough.put("jobs", "" + jobs));
    s.runningTimeLeft(view.now())
        .map(left -> each.multipliedBy(needed).minus(left))
        .filter(Duration::isPositive)
        .flatMap(
            missing ->
                s.budget()
                    .nodeHours()
                    .map(hours -> hours + Hours.of(missing) * s.cell().nodes().size()))
        .ifPresent(hours -> enough.put("nodes", oneDecimal(hours)));
    return enough.isEmpty()
        ? Statement.words("")
        : Statement.phrase(
            "because-carries-" + String.join("-", enough.keySet()), enough.values().toArray());
  }

  private static String oneDecimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Whether everything that precedes the candidates is planned, so that its jobs are counted. */
  private static boolean isPrepared(SweepState s, WaveState first) {
    return s.waves().subList(0, s.waves().indexOf(first)).stream()
        .allMatch(
            w -> !w.isPending() && w.trials().stream().noneMatch(t -> s.trial(t).isWaiting()));
  }

  /** The first family of screening waves, as long as no screening wave has begun. */
  private static List<WaveState> pendingFamily(SweepState s) {
    List<WaveState> screens = screens(s);
    if (screens.isEmpty() || !screens.stream().allMatch(WaveState::isPending)) {
      return List.of();
    }
    String family = Mechanisms.family(screens.getFirst().wave().name());
    return screens.stream().filter(w -> Mechanisms.family(w.wave().name()).equals(family)).toList();
  }

  /** The screening waves of the original plan. */
  private static List<WaveState> screens(SweepState s) {
    return s.waves().stream().filter(w -> w.is(Wave.Kind.SCREEN) && !w.wave().isAdded()).toList();
  }

  private static List<String> candidates(SweepState s, List<WaveState> waves) {
    return waves.stream()
        .flatMap(w -> w.wave().profiles().stream())
        .filter(p -> !s.isDropped(p))
        .distinct()
        .toList();
  }

  /** The least promising catalog candidates; never profiles that a person added. */
  private static List<String> last(SweepState s, List<String> candidates, int count) {
    Optional<String> dominant = Mechanisms.dominant(s);
    List<String> ofCatalogs =
        candidates.stream()
            .filter(c -> s.spec().plan().candidates().containsKey(c))
            .sorted(
                Comparator.comparing(p -> dominant.filter(d -> !ActsOn.acts(s, p, d)).isPresent()))
            .collect(Collectors.toList());
    int from = Math.clamp(ofCatalogs.size() - Math.max(0, count), 0, ofCatalogs.size());
    return ofCatalogs.subList(from, ofCatalogs.size());
  }

  private static Optional<AttemptId> timed(SweepState s) {
    return s.attempts()
        .filter(a -> a.measurement().isPresent())
        .map(AttemptState::id)
        .reduce((first, second) -> second);
  }
}
