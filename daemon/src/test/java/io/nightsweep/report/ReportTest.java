package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  static final Night.Result NIGHT =
      new Night(
              Specs.kernels(8, Optional.empty()),
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

  @Test
  void coverageThatDoesNotAddUpIsAnError() {
    assertThatThrownBy(() -> new Coverage(10, 5, 1, 1, 1, 1))
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
