package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a sweep without a winner says of what it has tested. */
@Tag("shipped")
class BoundedNightTest {
  private static final int PROFILES = 8;

  /** A profile that fails was not seen to gain too little; nobody has seen it at all. */
  @Test
  void profilesThatFailedWereNotTested() {
    List<String> names = IntStream.rangeClosed(1, PROFILES).mapToObj(i -> "p" + i).toList();
    SweepSpec spec = Specs.screening(names, Optional.of(100), 2);
    Map<String, Response> responses = new TreeMap<>();
    for (String name : List.of("p2", "p4", "p6")) {
      responses.put(name, new Response.Fails("oom-gpu", 0.3));
    }
    Night.Result night =
        new Night(
                spec,
                new DrawnSurface(responses, 1000, Weather.calm(0.002), 5),
                Faults.none(),
                Duration.ofMinutes(10),
                5)
            .run();
    Event.SweepFinished end =
        night.entries().stream()
            .map(Entry::event)
            .filter(Event.SweepFinished.class::isInstance)
            .map(Event.SweepFinished.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(end.outcome()).isEqualTo(Event.SweepFinished.Outcome.BOUNDED);
    assertThat(end.conclusion()).startsWith("Structurally bounded: of 5 profiles tested none");
  }
}
