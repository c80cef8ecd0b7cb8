package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sweep without a winner says about the profiles that it tested. */
@Tag("shipped")
class BoundedNightTest {
  private static final int PROFILES = 8;

  @TempDir private Path repository;

  /** A profile that fails was not measured, so it did not gain too little. */
  @Test
  void profilesThatFailedWereNotTested() {
    List<String> names = IntStream.rangeClosed(1, PROFILES).mapToObj(i -> "p" + i).toList();
    SweepSpec spec = Specs.screening(names, Optional.of(100), 2);
    Map<String, Response> responses = new TreeMap<>();
    for (String name : List.of("p2", "p4", "p6")) {
      responses.put(name, new Response.Fails("oom-gpu", 0.3));
    }
    Night.Result night =
        Specs.night(
                spec,
                new DrawnSurface(responses, 1000, Weather.calm(0.002), 5),
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
    assertThat(end.outcome()).isEqualTo(Event.SweepFinished.SweepOutcome.BOUNDED);
    assertThat(Sentences.of(end.ending(), Phrases.EN))
        .startsWith("Structurally bounded: of 5 profiles tested none");
  }

  /** A profile that gains 80 % and then 170 % is taken for broken, and bounds no possible gain. */
  @Test
  void aProfileThatWasTooFastToBeBelievedBoundsNothing() {
    DrawnSurface drawn =
        new DrawnSurface(
            Map.of("p1", new Response.Gain(Math.log(1.8))), 1000, Weather.calm(0.002), 5);
    Surface faster =
        new AlteredSurface(drawn) {
          private int runs;

          @Override
          public double disturbance(SurfaceRun run, SplittableRandom random) {
            return run.profile().name().equals("p1") && runs++ > 0 ? 0.4 : 0;
          }
        };
    Night.Result night =
        Specs.night(
                Specs.screening(List.of("p1"), Optional.of(100), 2),
                faster,
                Duration.ofMinutes(10),
                5)
            .run();
    assertThat(night.state().dropped().get("p1"))
        .extracting(Event.ProfileDropped::cause)
        .isEqualTo(Event.ProfileDropped.DropCause.FAILED);
    assertThat(night.entries())
        .noneMatch(
            e ->
                e.event() instanceof Event.SweepFinished f
                    && Sentences.of(f.ending(), Phrases.EN).contains("none gains more"));
  }

  /**
   * Nodes with runs that differ by a quarter cannot show a gain of 5 %, the target: one run of each
   * candidate of the packed plan gives no information.
   */
  @Test
  void noisyNodesBoundNothing() throws Exception {
    SweepEnding end = noisy();

    assertThat(Sentences.of(end, Phrases.EN)).doesNotContain("none gains more");
  }

  private SweepEnding noisy() throws Exception {
    SweepSpec spec =
        ShippedNights.spec(
            repository,
            "TP=8",
            1,
            text -> text.replace("# policy:", "policy: {plausibleGain: 900%}"));
    return new Night(
            spec,
            new DrawnSurface(Map.of(), 1000, Weather.calm(0.25), 5),
            Faults.none(),
            ShippedNights.JOB,
            5)
        .run().entries().stream()
            .map(Entry::event)
            .flatMap(e -> e instanceof Event.SweepFinished f ? Stream.of(f.ending()) : null)
            .findFirst()
            .orElseThrow();
  }
}
