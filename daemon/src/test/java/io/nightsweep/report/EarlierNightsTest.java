package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.advisor.Priors;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Profiles that the cell's earlier night refuted are screened last while its versions hold. */
@Tag("hours")
class EarlierNightsTest {
  private final SweepState before = TuningNights.pp();
  private final List<Fact> versions = before.inventory().stream().toList();

  @Test
  void whatWasRefutedIsScreenedLastAndNothingIsLeftOut() {
    Map<String, Double> known = EarlierNights.logGains(before.spec(), versions, List.of(before));
    List<String> refuted =
        before.profileOrder().stream()
            .filter(p -> known.getOrDefault(hash(p), 0.0) == EarlierNights.REFUTED)
            .filter(p -> before.spec().profile(p).isPresent() && !p.startsWith("baseline"))
            .toList();
    List<String> open =
        before.spec().profiles().stream()
            .map(p -> p.name())
            .filter(p -> !p.startsWith("baseline") && !refuted.contains(p))
            .toList();
    assertThat(refuted).isNotEmpty();
    assertThat(open).isNotEmpty();
    assertThat(known.get(hash(open.getFirst()))).isFinite();

    List<String> worstFirst = new ArrayList<>(refuted);
    worstFirst.addAll(open);
    SweepSpec spec =
        before
            .spec()
            .with(
                new Plan(
                    "test",
                    List.of(
                        screen("flags-1", worstFirst.subList(0, open.size())),
                        screen("flags-2", worstFirst.subList(open.size(), worstFirst.size()))),
                    List.of()));
    List<Wave> ordered = Priors.order(spec, known, Set.of()).plan().waves();
    assertThat(ordered.getFirst().profiles()).containsExactlyInAnyOrderElementsOf(open);
    assertThat(ordered.getLast().profiles()).containsExactlyInAnyOrderElementsOf(refuted);
  }

  @Test
  void anotherImageOrConfigurationKnowsNothingOfIt() {
    assertThat(versions).anyMatch(Fact::headline);
    List<Fact> others =
        versions.stream().map(f -> new Fact(f.name(), f.value() + "-next", f.headline())).toList();
    assertThat(EarlierNights.logGains(before.spec(), others, List.of(before))).isEmpty();
    assertThat(EarlierNights.logGains(before.spec().screening(9), versions, List.of(before)))
        .isEmpty();
    assertThat(EarlierNights.logGains(TuningNights.fsdp().spec(), versions, List.of(before)))
        .as("another parallelism")
        .isEmpty();
  }

  private String hash(String profile) {
    return before.profile(profile).hash();
  }

  private static Wave screen(String name, List<String> profiles) {
    return new Wave(
        name, Wave.Kind.SCREEN, profiles, Wave.When.ALWAYS, 1, Statement.words("flags"));
  }
}
