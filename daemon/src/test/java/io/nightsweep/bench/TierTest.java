package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import io.nightsweep.plan.Study;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How far a row can be trusted depends on its samples, its placement and any injected fault. */
@Tag("kernels")
class TierTest {
  private static final Study.Sampling WHOLE = new Study.Sampling(8, 64, 32);

  private final MeasuredRows rows = new MeasuredRows();

  @Test
  void isAsItsSamplesAre() {
    assertThat(tier(WHOLE)).hasValue(Tier.OFFICIAL);
    for (Study.Sampling fewer :
        List.of(
            new Study.Sampling(4, 128, 32),
            new Study.Sampling(8, 63, 32),
            new Study.Sampling(8, 64, 31),
            new Study.Sampling(8, 8, 1))) {
      assertThat(tier(fewer)).as(fewer.words()).hasValue(Tier.COMPARABLE);
    }
    assertThat(tier(new Study.Sampling(9, 7, 32))).hasValue(Tier.DIAGNOSTIC);
    assertThat(tier(new Study.Sampling(8, 64, 0))).hasValue(Tier.DIAGNOSTIC);
  }

  @Test
  void helpsToFindACauseOnlyWhereSomethingIsAmiss() {
    CaseRow good = rows.row(1, 1, WHOLE);
    assertThat(Tier.of(good, manifest("none", "a", "b"))).hasValue(Tier.DIAGNOSTIC);
    assertThat(Tier.of(good, manifest("", "a", "a"))).hasValue(Tier.DIAGNOSTIC);
    assertThat(Tier.of(rows.row(2, 1, WHOLE), manifest("", "a", "b"))).hasValue(Tier.DIAGNOSTIC);
    assertThat(Tier.of(rows.row(1, 1, WHOLE, true), manifest("", "a", "b")))
        .hasValue(Tier.DIAGNOSTIC);
    assertThat(Tier.of(rows.row(1, 1, WHOLE, false), manifest("", "a", "b")))
        .hasValue(Tier.OFFICIAL);
    assertThat(Tier.of(rows.lost(1), manifest("", "a", "b"))).isEmpty();
  }

  /** Eight ranks on two CPUs, and products by kernels that are not the processor's own. */
  @Test
  void aMachineThatWasNotGivenWholeIsToldByNoOfficialRow() {
    String warning = "OpenBLAS takes the kernels of Prescott";
    CaseRow good = rows.row(1, 1, WHOLE);
    CaseRow product = rows.product(WHOLE);
    assertThat(Tier.of(good, manifest("", true, "", "a", "b"))).hasValue(Tier.DIAGNOSTIC);
    assertThat(Tier.of(product, manifest("", false, "", "a", "b"))).hasValue(Tier.OFFICIAL);
    assertThat(Tier.of(product, manifest("", false, warning, "a", "b"))).hasValue(Tier.DIAGNOSTIC);
    assertThat(Tier.of(good, manifest("", false, warning, "a", "b"))).hasValue(Tier.OFFICIAL);
    Manifest told = manifest("", true, warning, "a", "b");
    assertThat(SummaryCsv.of(List.of(product), told)).contains("blasCore", "Prescott", warning);
    assertThat(new SummaryPage(told, List.of(product), List.of()).text(List.of()))
        .contains("Prescott", "Warning: " + warning, "more CPUs than there were");
  }

  private Optional<Tier> tier(Study.Sampling sampling) {
    return Tier.of(rows.row(1, 1, sampling), manifest("", "a", "b"));
  }

  /**
   * @param fault injected; empty for none
   * @param hosts of each rank of the first round's job
   */
  private static Manifest manifest(String fault, String... hosts) {
    return manifest(fault, false, "", hosts);
  }

  private static Manifest manifest(
      String fault, boolean sharesCpus, String blasWarning, String... hosts) {
    Manifest.JobSource source =
        new Manifest.JobSource(
            MeasuredRows.KEY.id(),
            CaseRow.ONE_SIDE,
            1,
            1,
            "17",
            "",
            NullNode.getInstance(),
            hosts.length,
            List.of(hosts),
            false,
            sharesCpus,
            Map.of(),
            blasWarning.isEmpty()
                ? NullNode.getInstance()
                : BenchJson.MAPPER
                    .createObjectNode()
                    .put("blasCore", "Prescott")
                    .put("blasWarning", blasWarning),
            List.of());
    return new Manifest(
        Manifest.SCHEMA,
        "study",
        "",
        "run",
        "",
        "",
        WHOLE,
        Map.of(),
        1,
        Optional.empty(),
        Attempts.RULE,
        1,
        Map.of(),
        Map.of(),
        true,
        List.of(),
        List.of(),
        List.of(source),
        Optional.of(fault).filter(f -> !f.isEmpty()),
        Optional.empty());
  }
}
