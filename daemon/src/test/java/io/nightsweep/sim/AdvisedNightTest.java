package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A night with a plan of two threshold values, both far from the size of the messages. */
@Tag("verdicts")
class AdvisedNightTest {
  private static final String LIMIT = "OMPI_MCA_btl_tcp_eager_limit";
  private static final long SIZE = 200_000;

  /** Only a limit just above the messages' size helps: a much higher one costs memory traffic. */
  private static double gain(Profile profile) {
    String limit = profile.env().get(LIMIT);
    if (limit == null || Long.parseLong(limit) <= SIZE) {
      return 0;
    }
    return Long.parseLong(limit) <= 2 * SIZE ? 0.04 : -0.03;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void findsTheThresholdThatThePlanDidNotName(long seed) {
    Night.Result night = night(spec(SIZE), seed);
    assertThat(night.entries())
        .anySatisfy(
            entry ->
                assertThat(entry.event())
                    .isInstanceOfSatisfying(
                        Event.ProfileAdded.class,
                        added -> assertThat(added.profile().name()).isEqualTo("tcp-eager-256K")));
    assertThat(Standings.winner(night.state()))
        .hasValueSatisfying(
            winner -> {
              assertThat(winner.profile()).isEqualTo("tcp-eager-256K");
              assertThat(Standings.publishedLogGain(winner)).isBetween(0.03, 0.05);
            });
  }

  @Test
  void withoutASizeNothingIsProposed() {
    Night.Result night = night(spec(0), 1);
    assertThat(night.entries()).noneMatch(e -> e.event() instanceof Event.ProfileAdded);
    assertThat(Standings.winner(night.state())).isEmpty();
  }

  static Night.Result night(SweepSpec spec, long seed) {
    Surface surface =
        new Surface() {
          @Override
          public double effect(Profile profile, String configTag) {
            return gain(profile);
          }

          @Override
          public double baseline(String configTag) {
            return 1000;
          }

          @Override
          public double drift(double hours) {
            return 0.003 * hours;
          }

          @Override
          public double noise(SplittableRandom random) {
            return 0.006 * random.nextGaussian();
          }
        };
    return Specs.night(spec, surface, Duration.ofMinutes(5), seed).run();
  }

  /** The packed catalog's entry; the plan contains only its smallest and largest candidates. */
  static SweepSpec spec(long size) {
    SweepSpec s = Specs.kernels(1, 60);
    Catalog catalog = Specs.packed("openmpi", "tcp-eager");
    List<Profile> named =
        catalog.entries().getFirst().candidates().stream()
            .filter(p -> !p.name().equals("tcp-eager-256K"))
            .toList();
    List<Wave> waves =
        List.of(
            Specs.wave("baseline", Wave.Kind.BASELINE, List.of(), Wave.When.ALWAYS, 3, "noise"),
            Specs.wave(
                "screen",
                Wave.Kind.SCREEN,
                named.stream().map(Profile::name).toList(),
                Wave.When.ALWAYS,
                1,
                "first look"),
            Specs.wave("race", Wave.Kind.RACE, List.of(), Wave.When.IF_CONTENDER, 8, "decide"),
            Specs.wave(
                "confirm", Wave.Kind.CONFIRM, List.of(), Wave.When.IF_CONTENDER, 1, "fresh"));
    return new SweepSpec(
        s.cell(),
        s.workload(),
        size > 0 ? new TreeMap<>(Map.of("sizes", "" + size)) : new TreeMap<>(),
        s.metric(),
        s.configTags().subList(0, 1),
        List.of(Profile.baseline(), named.getFirst(), named.getLast()),
        new Plan("kernels", waves, List.of()),
        Budgets.of(60, Duration.ofHours(10)),
        s.policy(),
        s.playbook(),
        List.of(catalog));
  }
}
