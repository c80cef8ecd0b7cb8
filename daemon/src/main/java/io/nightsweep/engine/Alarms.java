package io.nightsweep.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Notifies people of troubles of the daemon itself that no journal can record: a sweep that it
 * could not resume, a tick that does not end, a journal that cannot be written. Each trouble is
 * reported when it begins and when it is over, at most every ten minutes.
 */
final class Alarms {
  private static final Duration AGAIN = Duration.ofMinutes(10);

  private final Consumer<String> people;
  private final InstantSource clock;
  private final Map<String, Alarm> told = new TreeMap<>();
  private final Map<String, Instant> toldAt = new HashMap<>();

  /**
   * @param what message at the beginning
   * @param over message at the end, if it is worth one
   */
  record Alarm(String what, Optional<String> over) {
    static Alarm notDriven(String sweep, String why) {
      return new Alarm(
          "NOT DRIVEN: sweep %s could not be continued: %s. Its jobs go on without the daemon."
              .formatted(sweep, why),
          Optional.empty());
    }

    static Alarm longLook(String sweep, Duration longerThan) {
      return new Alarm(
          "NOT LOOKED AT: a look at sweep %s takes longer than %d s, for example since Slurm or a disk hangs; meanwhile it accepts no command"
              .formatted(sweep, longerThan.toSeconds()),
          Optional.of("the look at sweep %s has ended".formatted(sweep)));
    }

    static Alarm unwritable(String sweep, String error) {
      return new Alarm(
          "WAITING: the journal of sweep %s cannot be written (%s); nothing is submitted until it can"
              .formatted(sweep, error),
          Optional.of("the journal of sweep %s can be written again".formatted(sweep)));
    }
  }

  Alarms(Consumer<String> people, InstantSource clock) {
    this.people = people;
    this.clock = clock;
  }

  /**
   * @param troubles all present troubles, each under its own key
   */
  void look(Map<String, Alarm> troubles) {
    Instant now = clock.instant();
    troubles.forEach(
        (key, trouble) -> {
          boolean isRecent = toldAt.containsKey(key) && now.isBefore(toldAt.get(key).plus(AGAIN));
          if (!told.containsKey(key) && !isRecent) {
            told.put(key, trouble);
            toldAt.put(key, now);
            people.accept(trouble.what());
          }
        });
    told.entrySet()
        .removeIf(
            entry -> {
              boolean isOver = !troubles.containsKey(entry.getKey());
              if (isOver) {
                entry.getValue().over().ifPresent(people);
              }
              return isOver;
            });
  }
}
