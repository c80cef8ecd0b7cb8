package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {
  static final Night.Result NIGHT =
      new Night(
              Specs.kernels(8),
              Specs.surface(0.05, 0.005),
              Faults.none().with(Faults.Kind.JOB_FAILS, 0.1),
              Duration.ofMinutes(8),
              11)
          .run();

  @Test
  void aFinishedSweepHasEverySectionAndARowForEveryAttempt(@TempDir Path directory)
      throws Exception {
    ReportWriter.write(directory, NIGHT.state());
    String text = Files.readString(ReportWriter.page(directory, NIGHT.state()));
    Node page = parse(text);
    assertThat(headings(page))
        .contains(
            "TL;DR",
            "Inventory",
            "Leaderboard",
            "Recommended deployment",
            "Appendix: every attempt");
    assertThat(text).contains("⭐").contains("`p3`").doesNotContain("Preliminary");
    List<Integer> rows = tableRows(page);
    assertThat(rows.getLast()).isEqualTo(1 + (int) NIGHT.state().attempts().count());
    assertThat(ImageIO.read(directory.resolve("charts/leaderboard.png").toFile())).isNotNull();
    assertThat(ImageIO.read(directory.resolve("charts/timeline.png").toFile())).isNotNull();
    assertThat(Files.readString(directory.resolve("tuning.json"))).contains("\"winner\" : \"p3\"");
  }

  @Test
  void everyPrefixOfASweepHasAReportThatSaysWhatIsMissing() {
    SweepState state = SweepState.empty();
    int n = 0;
    for (Entry entry : NIGHT.entries()) {
      state = state.apply(entry);
      if (n++ % 40 == 0) {
        assertThat(TuningReport.of(state, List.of())).contains("Preliminary: interrupted at");
      }
    }
    assertThat(TuningReport.of(state, List.of())).doesNotContain("Preliminary");
  }

  /** Nothing failed: a person ended the sweep. */
  @Test
  @Tag("people")
  void aSweepThatPeopleEndedIsNotCalledInterrupted() {
    List<Entry> half = new ArrayList<>(NIGHT.entries().subList(0, NIGHT.entries().size() / 2));
    Entry last = half.getLast();
    half.add(
        new Entry(
            last.seq() + 1,
            last.at(),
            new Event.SweepFinished(
                Event.SweepFinished.SweepOutcome.STOPPED,
                new SweepEnding.StoppedByCommand(Command.Stop.Mode.DRAIN))));
    String page = TuningReport.of(SweepState.fold(half), List.of());
    assertThat(page)
        .contains("**Preliminary: people ended the sweep with ", " measured.** Not run: ")
        .doesNotContain("interrupted");
  }

  /** No decision is pending for a profile that gets no further run. */
  @Test
  @Tag("people")
  void aProfileThatLeftTheRaceIsNotCalledUndecided() {
    SweepState s = NIGHT.state();
    Leaderboard board = Standings.board(s);
    List<Standing> left =
        board.standings().stream()
            .filter(st -> s.isDropped(st.profile()))
            .filter(st -> st.verdict() instanceof Verdict.Undecided)
            .toList();
    assertThat(left)
        .isNotEmpty()
        .allSatisfy(st -> assertThat(Figures.phrase(s, st, Phrases.EN)).isEqualTo("raced out"));
  }

  /** If figures of one table do not add up, readers trust none of them. */
  @Test
  @Tag("people")
  void theWinnersMeanAndGainAreOfTheSameRunsAndTheTableSaysOfWhich() {
    SweepState s = NIGHT.state();
    CellSummary winner = CellSummary.of(s).getFirst();
    List<Double> fresh = values(s, Trial.Purpose.CONFIRM);
    assertThat(winner.runs()).isEqualTo(fresh.size()).isGreaterThanOrEqualTo(3);
    assertThat(winner.mean()).isEqualTo(mean(fresh), within(1e-6 * winner.mean()));
    assertThat(winner.baselineMean())
        .isEqualTo(mean(values(s, Trial.Purpose.CONFIRM_CONTROL)), within(1e-6 * winner.mean()));
    assertThat(Math.log(winner.mean() / winner.baselineMean()))
        .isEqualTo(winner.logGain(), within(0.003));
    assertThat(TuningReport.of(s, List.of()))
        .contains(
            "For a winner, the mean and the runs are those of its fresh runs",
            "Means and runs here include all runs that count");
  }

  private static List<Double> values(SweepState s, Trial.Purpose purpose) {
    return s.trials().values().stream()
        .filter(t -> t.trial().purpose() == purpose)
        .flatMap(t -> t.measurement().stream())
        .map(Measurement::value)
        .toList();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** Overrides are the workload's own settings and are not part of an environment. */
  @Test
  @Tag("people")
  void aWinnerOfOverridesAloneHasNoScriptToSource() {
    List<Entry> entries =
        NIGHT.entries().stream()
            .map(
                e ->
                    e.event() instanceof Event.SweepStarted started
                        ? new Entry(
                            e.seq(),
                            e.at(),
                            new Event.SweepStarted(
                                started.sweep(), started.seed(), Specs.ofBatches(started.spec())))
                        : e)
            .toList();
    String page = TuningReport.of(SweepState.fold(entries), List.of());
    String deployment = page.substring(page.indexOf("## Recommended deployment"));
    assertThat(deployment)
        .contains("With these settings of the workload:", "BATCH=3")
        .doesNotContain("```bash", "Source this");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8.054 | +8.05",
        "-0.3 | -0.30",
        "999.4 | +999.40",
        "3209.4567 | +3,209",
        "-3209.4567 | -3,209"
      })
  @Tag("people")
  void aGainOfThousandsHasNoDecimals(double percent, String written) {
    assertThat(Figures.signed(percent, 2)).isEqualTo(written);
  }

  /** A figure that a model named may be negative. */
  @ParameterizedTest
  @CsvSource({
    "0.12345, 0.1235, 0.1235",
    "100, 100.0, 100",
    "1234.56, 1234.6, 1234.6",
    "-1234.56, -1234.6, -1234.6",
    "9999, 9999.0, 9999",
    "10000, 10.00k, 10k",
    "-10000, -10.00k, -10k",
    "123456, 123.5k, 123.5k",
    "1e9, 1.000G, 1G",
    "-2e9, -2.000G, -2G",
    "NaN, -, -"
  })
  @Tag("people")
  void aFigureIsShortInTables(double value, String inATable, String inASentence) {
    assertThat(Figures.value(value)).isEqualTo(inATable);
    assertThat(Figures.plain(value)).isEqualTo(inASentence);
  }

  @Test
  void coverageThatDoesNotAddUpIsAnError() {
    assertThatThrownBy(() -> new Coverage(10, 5, 1, 1, 0, 1, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not add up");
  }

  static Node parse(String text) {
    return Parser.builder().extensions(List.of(TablesExtension.create())).build().parse(text);
  }

  private static List<String> headings(Node page) {
    List<String> found = new ArrayList<>();
    page.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            if (heading.getFirstChild() instanceof Text text) {
              found.add(text.getLiteral());
            }
          }
        });
    return found;
  }

  private static List<Integer> tableRows(Node page) {
    List<Integer> counts = new ArrayList<>();
    page.accept(
        new AbstractVisitor() {
          @Override
          public void visit(CustomBlock block) {
            if (block instanceof TableBlock) {
              counts.add(0);
            }
            visitChildren(block);
          }

          @Override
          public void visit(CustomNode node) {
            if (node instanceof TableRow) {
              counts.set(counts.size() - 1, counts.getLast() + 1);
            }
            visitChildren(node);
          }
        });
    return counts;
  }
}
