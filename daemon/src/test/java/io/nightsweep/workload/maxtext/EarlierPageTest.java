package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sim.ShippedWinner;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A profile that lost before is no starting point. */
@Tag("shipped")
class EarlierPageTest {
  @TempDir Path repository;

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          Best so far: NCCL_PROTO=LL                        ! NCCL_PROTO=LL
          | chan8 | NCCL_PROTO=LL | +4.26 % |               ! NCCL_PROTO=LL
          | chan8 | NCCL_PROTO=LL | +4.26 % | loss +0.02 |  ! NCCL_PROTO=LL
          | chan8 | NCCL_PROTO=LL | -1.74 % |               ! ''
          | chan8 | NCCL_PROTO=LL | −1.74% |                ! ''
          | chan8 | NCCL_PROTO=LL | +9.1 % | OOM |          ! ''
          | chan8 | NCCL_PROTO=LL | -0.1 .. +0.3 % |        ! NCCL_PROTO=LL
          NCCL_PROTO=LL hung twice                          ! ''
          do not set NCCL_PROTO=LL on PP                    ! ''
          NCCL_PROTO=LL is slower; NCCL_PROTO=LL128 too     ! ''
          NCCL_PROTO=LL: the range 1-2 % of a step          ! NCCL_PROTO=LL
          NCCL_PROTO=LL bringt -2,5 %                       ! ''
          NCCL_PROTO=LL hatte -0,1 bis +2,5 %               ! NCCL_PROTO=LL
          NCCL_PROTO=LL 更慢                                 ! ''
          NCCL_PROTO=LL 显存不足                             ! ''
          NCCL_PROTO=LL 提升 +3.2 %                         ! NCCL_PROTO=LL
          """)
  void aLineIsReadWithItsFiguresAndWords(String line, String expected) throws Exception {
    page("# Tuning\n\n" + line + "\n");
    assertThat(named())
        .containsExactlyElementsOf(expected.isEmpty() ? List.of() : List.of(expected));
  }

  @Test
  void whatStandsUnderAHeadingOfLossesLost() throws Exception {
    page(
        """
        ## Recipe
        `--xla_a=1 --xla_c=1`
        ## Negative findings
        - `--xla_b=1`
        - `--xla_c=1`, in a stack with `--xla_d=1`
        ## Notes
        `--xla_e=1`; with `--xla_c=1` +3.1 %
        """);
    assertThat(named())
        .as("a gain that is told outweighs a loss elsewhere")
        .containsExactlyInAnyOrder("--xla_a=1", "--xla_c=1", "--xla_e=1");
  }

  /** As a sweep's own translated page names them. */
  @Test
  void aHeadingOfLossesIsReadInChineseToo() throws Exception {
    page("## 配方\n`--xla_a=1`\n## " + Phrases.ZH.text("negatives") + "\n- `--xla_b=1`\n");
    assertThat(named()).containsExactly("--xla_a=1");
  }

  /** The page lists everything tried, with its settings: only the winner's count. */
  @Test
  void ofASweepsOwnPageTheWinnerAloneIsAStartingPoint() throws Exception {
    Path reports = repository.resolve("state/reports");
    SweepState night = ShippedWinner.night(repository, 0.05, 0);
    ReportWriter.write(repository.resolve("state/sweeps/one/report"), reports, night);
    String own = Files.readString(reports.resolve("deepseek3-671b-tuning.md"));
    page("Ours: NCCL_ALGO=Tree\n\n" + own);
    String winner = Standings.winner(night).orElseThrow().profile();
    List<String> expected =
        night.profile(winner).flags().entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .toList();
    assertThat(own).contains(expected);
    assertThat(Pattern.compile("--xla_[a-z_]+=\\w+").matcher(own).results())
        .as("it names others as well")
        .anyMatch(setting -> !expected.contains(setting.group()));
    assertThat(named()).containsAll(expected).contains("NCCL_ALGO=Tree");
    assertThat(named())
        .as("nothing but the winner's family and the note")
        .allMatch(s -> expected.contains(s) || s.equals("NCCL_ALGO=Tree"));
  }

  private List<String> named() throws Exception {
    SweepSpec spec = ShippedWinner.spec(repository, "PP=8");
    return new MaxTextWorkload().namedBefore(spec).stream().sorted().toList();
  }

  private void page(String text) throws Exception {
    Files.writeString(repository.resolve("deepseek3-671b-tuning.md"), text);
  }
}
