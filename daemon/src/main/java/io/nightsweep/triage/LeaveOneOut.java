package io.nightsweep.triage;

import com.google.re2j.Pattern;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Signature;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Derives the playbook that would exist if nobody had seen a given family of logs: it lacks the
 * patterns that match no sample and no other family's log. A pattern with alternatives is kept if
 * another family matches any of them, so the measured quality is rather too high than too low.
 */
public final class LeaveOneOut {
  private static final String SAMPLES = "";

  private final Recognition recognition;

  /** For each pattern, the families with a log line that it matches. */
  private final Map<String, Set<String>> support = new HashMap<>();

  /**
   * @param samples written for the classes, not taken from threads
   */
  public LeaveOneOut(Recognition recognition, List<ThreadSample> threads, List<Sample> samples) {
    this.recognition = recognition;
    Map<String, Set<String>> lines = new HashMap<>();
    threads.forEach(t -> add(lines, t.family(), t.sample().log()));
    samples.forEach(s -> add(lines, SAMPLES, s.log()));
    recognition.classes().stream()
        .flatMap(c -> c.signatures().stream())
        .flatMap(LeaveOneOut::patterns)
        .distinct()
        .forEach(
            expression -> {
              Pattern pattern = Pattern.compile(expression);
              Set<String> families = new TreeSet<>();
              lines.forEach(
                  (family, all) -> {
                    if (all.stream().anyMatch(line -> pattern.matcher(line).find())) {
                      families.add(family);
                    }
                  });
              support.put(expression, families);
            });
  }

  private static void add(Map<String, Set<String>> lines, String family, String log) {
    Set<String> of = lines.computeIfAbsent(family, k -> new HashSet<>());
    log.lines()
        .map(raw -> Line.of(Path.of(family), Rank.NONE, 1, 1, 1, raw).body())
        .forEach(of::add);
  }

  private static Stream<String> patterns(Signature signature) {
    return signature.clues().stream()
        .filter(Clue.Line.class::isInstance)
        .map(clue -> ((Clue.Line) clue).pattern());
  }

  /** The playbook without the patterns that only this family supports. */
  public Recognition without(String family) {
    List<FailureClass> classes =
        recognition.classes().stream()
            .map(
                c ->
                    new FailureClass(
                        c.id(),
                        c.about(),
                        c.order(),
                        c.signatures().stream()
                            .filter(s -> patterns(s).noneMatch(p -> isOnlyOf(family, p)))
                            .toList(),
                        c.subjects(),
                        c.figures()))
            .toList();
    return new Recognition(
        recognition.benign(),
        recognition.echoes(),
        recognition.errors(),
        recognition.marks(),
        recognition.readings(),
        classes);
  }

  /** A pattern that matches no log at all was written from the program's source, and is kept. */
  private boolean isOnlyOf(String family, String pattern) {
    return support.getOrDefault(pattern, Set.of()).equals(Set.of(family));
  }
}
