package io.nightsweep.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How long jobs took from start to end, the shortest first; jobs without both are left out. */
public record JobTimes(List<Duration> ascending) {
  public JobTimes {
    ascending = List.copyOf(ascending);
  }

  public static JobTimes of(Stream<AttemptState> attempts) {
    return new JobTimes(attempts.flatMap(a -> a.elapsed().stream()).sorted().toList());
  }

  /**
   * The measured jobs of one length.
   *
   * @param brief whether the short ones ({@link SweepState#isShort})
   */
  public static JobTimes measured(SweepState s, boolean brief) {
    return of(s.attempts().filter(a -> a.measurement().isPresent() && s.isShort(a) == brief));
  }

  public int count() {
    return ascending.size();
  }

  public Optional<Duration> median() {
    return ascending.isEmpty() ? Optional.empty() : Optional.of(ascending.get(count() / 2));
  }
}
