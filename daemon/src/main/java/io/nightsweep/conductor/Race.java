package io.nightsweep.conductor;

import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.apache.commons.statistics.distribution.TDistribution;

/** Where the sweep's profiles stand against the baseline, and where the next runs should go. */
public final class Race {
  private Race() {}

  /**
   * A profile against the baseline on one config tag.
   *
   * @param gains ln of the factor over the block's control, one per run, in order
   * @param low of the gain's interval, as ln
   * @param high of the gain's interval, as ln
   */
  public record Standing(
      String profile, String configTag, List<Double> gains, double mean, double low, double high) {
    public int runs() {
      return gains.size();
    }

    public double gainFraction() {
      return Math.expm1(mean);
    }
  }

  /** Best first, on the primary config tag, from screening and racing runs. */
  public static List<Standing> screened(SweepState s) {
    return standings(s, s.spec().primaryTag().name(), p -> p == Purpose.SCREEN);
  }

  /** From confirmation runs alone, best first. */
  public static List<Standing> confirmed(SweepState s) {
    return standings(s, s.spec().primaryTag().name(), p -> p == Purpose.CONFIRM);
  }

  /** Of the cross-check on another config tag. */
  public static List<Standing> crossChecked(SweepState s, String configTag) {
    return standings(s, configTag, p -> p == Purpose.CROSS_CHECK);
  }

  static List<Standing> contenders(SweepState s) {
    return screened(s).stream()
        .filter(st -> !st.profile().equals(Profile.BASELINE_NO_ENV))
        .filter(st -> !s.isDropped(st.profile()))
        .filter(st -> st.mean() > 0)
        .toList();
  }

  static boolean targetMet(SweepState s) {
    return contenders(s).stream()
        .anyMatch(st -> st.runs() >= 2 && Math.expm1(st.low()) >= s.spec().policy().targetGain());
  }

  /** The profiles whose replicates are worth most now; empty where the race is decided. */
  static List<String> replicate(SweepState s) {
    int most = s.spec().policy().maxRunsPerProfile();
    List<Standing> contenders = contenders(s);
    if (contenders.isEmpty()) {
      return List.of();
    }
    Standing leader = contenders.getFirst();
    return contenders.stream()
        .filter(
            st ->
                st.high() >= leader.low()
                    && st.high() > Math.log1p(s.spec().policy().worthwhileGain()))
        .filter(st -> st.runs() < Math.min(most, 3))
        .map(Standing::profile)
        .limit(s.spec().policy().blockSize())
        .toList();
  }

  /** The leader that has not been confirmed or refuted yet. */
  static Optional<String> nextToConfirm(SweepState s) {
    List<String> tried = confirmed(s).stream().map(Standing::profile).toList();
    if (tried.size() >= 2) {
      return Optional.empty();
    }
    return contenders(s).stream()
        .filter(st -> st.runs() >= 2 || s.spec().policy().maxRunsPerProfile() == 1)
        .map(Standing::profile)
        .filter(p -> !tried.contains(p))
        .findFirst();
  }

  private static List<Standing> standings(
      SweepState s, String configTag, Predicate<Purpose> purposes) {
    Map<Integer, List<TrialState>> byBlock = new LinkedHashMap<>();
    s.countingTrials()
        .filter(t -> t.trial().configTag().equals(configTag) && t.measurement().isPresent())
        .filter(t -> t.trial().purpose().measures())
        .forEach(t -> byBlock.computeIfAbsent(t.trial().block(), b -> new ArrayList<>()).add(t));
    Map<String, List<Double>> gains = new LinkedHashMap<>();
    for (List<TrialState> block : byBlock.values()) {
      OptionalDouble control =
          block.stream()
              .filter(t -> t.trial().purpose().isControl())
              .mapToDouble(Race::value)
              .average();
      if (control.isEmpty()) {
        continue;
      }
      for (TrialState t : block) {
        Trial trial = t.trial();
        if (purposes.test(trial.purpose()) && !isUnsafe(s, trial.profile())) {
          gains
              .computeIfAbsent(trial.profile(), p -> new ArrayList<>())
              .add(s.spec().metric().logGain(value(t), control.getAsDouble()));
        }
      }
    }
    double spread = pooledDeviation(gains);
    int freedom = gains.values().stream().mapToInt(g -> g.size() - 1).sum();
    return gains.entrySet().stream()
        .map(e -> standing(e.getKey(), configTag, e.getValue(), spread, freedom, s))
        .sorted(Comparator.comparingDouble(Standing::mean).reversed())
        .toList();
  }

  private static Standing standing(
      String profile, String tag, List<Double> gains, double spread, int freedom, SweepState s) {
    double mean = gains.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    if (freedom < 1) {
      return new Standing(
          profile, tag, gains, mean, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double t =
        TDistribution.of(freedom)
            .inverseSurvivalProbability(s.spec().policy().familyWiseError() / 2);
    double half = t * spread / Math.sqrt(gains.size());
    return new Standing(profile, tag, List.copyOf(gains), mean, mean - half, mean + half);
  }

  private static double pooledDeviation(Map<String, List<Double>> gains) {
    double squares = 0;
    int freedom = 0;
    for (List<Double> g : gains.values()) {
      double mean = g.stream().mapToDouble(Double::doubleValue).average().orElse(0);
      squares += g.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
      freedom += g.size() - 1;
    }
    return freedom == 0 ? Double.NaN : Math.sqrt(squares / freedom);
  }

  private static double value(TrialState t) {
    return t.measurement().orElseThrow().value();
  }

  private static boolean isUnsafe(SweepState s, String profile) {
    Event.ProfileDropped dropped = s.dropped().get(profile);
    return dropped != null && dropped.cause() == DropCause.UNSAFE;
  }
}
