package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.advisor.Priors;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results from one parallelism order the screening of another, and leave nothing out. */
@Tag("verdicts")
class PriorsTest {
  private static final List<Wave> WAVES =
      List.of(
          Specs.wave("baseline", Wave.Kind.BASELINE, List.of(), Wave.When.ALWAYS, 1, "noise"),
          screen("flags-1", "ovl-2", "prio"),
          screen("flags-2", "chan-8", "ag-1G"),
          screen("alone", "baseline-no-env"));

  @TempDir private Path directory;

  @Test
  void whatGainedElsewhereComesFirstAndWhatLostLast() throws Exception {
    Path shared = directory.resolve("reports");
    SweepSpec pp = spec();
    assertThat(EarlierCells.logGains(shared, pp.cell())).isEmpty();
    ReportWriter.write(directory.resolve("fsdp"), shared, TuningNights.fsdp());
    ReportWriter.write(directory.resolve("pp"), shared, TuningNights.pp());
    Map<String, Double> gains = EarlierCells.logGains(shared, pp.cell());
    assertThat(gains.get(pp.profile("ag-1G").orElseThrow().hash())).isGreaterThan(0.05);

    List<Wave> ordered = Priors.order(pp, gains, Set.of()).plan().waves();
    assertThat(ordered.get(1).profiles()).hasSize(2).startsWith("ag-1G");
    assertThat(ordered.get(1).why())
        .isEqualTo(Statement.phrase("why-priors", Statement.words("flags")));
    assertThat(ordered.get(2).profiles()).hasSize(2).endsWith("ovl-2");
    assertThat(List.of(ordered.get(0), ordered.get(3)))
        .containsExactly(WAVES.getFirst(), WAVES.getLast());
    assertThat(ordered.stream().flatMap(w -> w.profiles().stream()))
        .containsExactlyInAnyOrder("ovl-2", "prio", "chan-8", "ag-1G", "baseline-no-env");
  }

  /** A page written by people: profiles that it names are tried before unmentioned ones. */
  @Test
  @Tag("shipped")
  void whatEarlierNotesNameComesBeforeWhatNobodyKnows() {
    List<Wave> ordered =
        Priors.order(spec(), Map.of(), Set.of(TuningNights.AG + "=1073741824", "NCCL_PROTO=LL"))
            .plan()
            .waves();
    assertThat(ordered.get(1).profiles()).hasSize(2).startsWith("ag-1G");
  }

  @Test
  void withoutAnEarlierCellThePlanIsAsItWas() {
    assertThat(Priors.order(spec(), Map.of(), Set.of())).isEqualTo(spec());
    assertThat(Priors.order(spec(), Map.of("0123456789abcdef", 0.3), Set.of())).isEqualTo(spec());
  }

  private static SweepSpec spec() {
    return TuningNights.pp().spec().with(new Plan("test", WAVES, List.of()));
  }

  private static Wave screen(String name, String... profiles) {
    return Specs.wave(name, Wave.Kind.SCREEN, List.of(profiles), Wave.When.ALWAYS, 1, "flags");
  }
}
