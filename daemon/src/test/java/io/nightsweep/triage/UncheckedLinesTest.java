package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.nightsweep.joblog.LinePatterns;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.Recognition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A match that the engine finds in an ASCII line is not checked against the pattern again. */
@Tag("joblog")
@Tag("slow")
class UncheckedLinesTest {
  private static final Playbooks SHIPPED =
      new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));

  /** One line in this many from public logs. */
  private static final int ONE_IN = 5;

  @Test
  void theEngineFindsInTheLinesOfStrangersWhatThePatternsMatch() throws Exception {
    Recognition recognition = SHIPPED.read("any").recognition();
    Rules rules = new Rules(recognition);
    SortedMap<Integer, String> patterns = new TreeMap<>();
    for (int id = 0; id < rules.expressions().size(); id++) {
      if (rules.isOfDeaths(id)) {
        patterns.put(id, rules.expressions().get(id));
      }
    }
    recognition.benign().forEach(e -> patterns.put(10_000 + patterns.size(), e));
    SortedMap<Integer, Pattern> checks = new TreeMap<>();
    patterns.forEach((id, e) -> checks.put(id, Pattern.compile(e)));
    LinePatterns engine = new LinePatterns(patterns);
    int found = 0;
    for (String line : lines()) {
      List<Integer> matching =
          checks.entrySet().stream()
              .filter(e -> e.getValue().matcher(line).find())
              .map(e -> e.getKey())
              .toList();
      assertThat(engine.matching(line)).as(line).isEqualTo(matching);
      found += matching.size();
    }
    assertThat(found).isGreaterThan(500);
  }

  private static List<String> lines() throws Exception {
    List<String> lines = new ArrayList<>();
    for (ThreadSample thread : SHIPPED.threads()) {
      thread.sample().log().lines().filter(l -> l.hashCode() % ONE_IN == 0).forEach(lines::add);
    }
    return lines;
  }
}
