package io.nightsweep.engine;

import com.fasterxml.jackson.core.type.TypeReference;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people what the daemon itself suffers and no journal can say: a sweep that it could not
 * take up, a look that does not end, a journal that cannot be written. Each is told when it begins
 * and when it is over, at most every ten minutes, also where another daemon has followed since:
 * what people have heard stands in a file.
 */
final class Alarms {
  private static final Logger log = LoggerFactory.getLogger(Alarms.class);
  private static final Duration AGAIN = Duration.ofMinutes(10);
  private static final int MOST_BYTES = 1 << 20;

  private final ScheduledStarts.Telling people;
  private final InstantSource clock;
  private final Path file;
  private final Map<String, LastWord> told;

  /** What has reached people; threads that deliver it write here. */
  private final Map<String, LastWord> heard;

  private Map<String, LastWord> kept;

  /**
   * What was told last of a trouble.
   *
   * @param at when it was told that it began
   * @param over what is to be told when it is over
   */
  private record LastWord(Instant at, boolean isOpen, Optional<String> over) {
    LastWord heardAt(Instant now) {
      return new LastWord(now, isOpen, over);
    }

    boolean isRecent(Instant now) {
      return now.isBefore(at.plus(AGAIN));
    }
  }

  /**
   * @param what what is told when it begins
   * @param over what is told when it is over, where that is news
   */
  record Alarm(String what, Optional<String> over) {
    static Alarm notDriven(String sweep, String why) {
      return new Alarm(
          "NOT DRIVEN: sweep %s could not be taken up: %s. Its jobs go on without the daemon."
              .formatted(sweep, why),
          Optional.empty());
    }

    static Alarm longLook(String sweep, Duration longerThan) {
      return new Alarm(
          "NOT LOOKED AT: a look at sweep %s takes longer than %d s, as where Slurm or a disk hangs; meanwhile it hears no command"
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

  /**
   * @param file where what people have heard is kept; one that cannot be read counts as none
   */
  Alarms(ScheduledStarts.Telling people, InstantSource clock, Path file) {
    this.people = people;
    this.clock = clock;
    this.file = file;
    kept = read(file, clock.instant());
    told = new TreeMap<>(kept);
    heard = new ConcurrentSkipListMap<>(kept);
  }

  private static Map<String, LastWord> read(Path file, Instant now) {
    Map<String, LastWord> read = new TreeMap<>();
    try {
      Json.mapper()
          .readValue(
              ForeignFile.read(file, MOST_BYTES), new TypeReference<Map<String, LastWord>>() {})
          // A clock that was set back would silence it for as long.
          .forEach((key, t) -> read.put(key, t.at().isAfter(now) ? t.heardAt(now) : t));
      return read;
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (IOException | RuntimeException e) {
      log.warn("what people have heard of troubles is not known: {}", e.getMessage());
      return Map.of();
    }
  }

  /**
   * @param troubles all that there is now, each by a key of its own
   * @param unknown of which nobody can say yet whether they are over
   */
  void look(Map<String, Alarm> troubles, Set<String> unknown) {
    Instant now = clock.instant();
    troubles.forEach(
        (key, trouble) -> {
          LastWord last = told.get(key);
          if (last == null || (!last.isOpen() && !last.isRecent(now))) {
            tell(key, new LastWord(now, true, trouble.over()), Optional.of(trouble.what()));
          }
        });
    for (Map.Entry<String, LastWord> entry : List.copyOf(told.entrySet())) {
      LastWord last = entry.getValue();
      String key = entry.getKey();
      if (last.isOpen() && !troubles.containsKey(key) && !unknown.contains(key)) {
        tell(key, new LastWord(last.at(), false, Optional.empty()), last.over());
      }
    }
    keep(now);
  }

  private void tell(String key, LastWord next, Optional<String> text) {
    told.put(key, next);
    if (text.isPresent()) {
      people.announce(text.get(), () -> heard.put(key, next));
    } else {
      heard.put(key, next);
    }
  }

  private void keep(Instant now) {
    told.values().removeIf(t -> !t.isOpen() && !t.isRecent(now));
    heard.values().removeIf(t -> !t.isOpen() && !t.isRecent(now));
    Map<String, LastWord> latest = Map.copyOf(heard);
    if (latest.equals(kept)) {
      return;
    }
    kept = latest;
    try {
      OwnFile.write(file, Json.mapper().writeValueAsString(latest));
    } catch (IOException e) {
      log.warn("a daemon that follows tells people of troubles again: {}", e.getMessage());
    }
  }
}
