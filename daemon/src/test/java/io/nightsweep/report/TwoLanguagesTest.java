package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Chinese page says what the English one says: same structure, same numbers. */
@Tag("xla")
class TwoLanguagesTest {
  private static final SweepState NIGHT =
      new Night(
              Specs.kernels(8, Optional.empty()),
              Specs.surface(0.05, 0.005),
              new Faults(0.1, 0, 0, 0, 0, 0),
              Duration.ofMinutes(8),
              11)
          .run()
          .state();

  @Test
  void bothCataloguesHaveTheSameKeysAndPlaces() {
    assertThat(Phrases.ZH.keys()).isEqualTo(Phrases.EN.keys());
    for (String key : Phrases.EN.keys()) {
      assertThat(places(Phrases.ZH.text(key))).as(key).isEqualTo(places(Phrases.EN.text(key)));
    }
  }

  @Test
  void headingsTablesFiguresAndCodeAreTheSame() throws Exception {
    String en = TuningReport.of(NIGHT, Charts.of(NIGHT), Phrases.EN, List.of());
    String zh = TuningReport.of(NIGHT, Charts.of(NIGHT), Phrases.ZH, List.of());
    assertThat(zh).contains("排行榜").doesNotContain("Leaderboard");
    assertThat(shape(zh)).isEqualTo(shape(en));
    // Numbers of tables stand in the same cells; sentences may order theirs by their own grammar.
    assertThat(all("(?m)^\\|.*$", zh).map(TwoLanguagesTest::numbers))
        .containsExactlyElementsOf(
            all("(?m)^\\|.*$", en).map(TwoLanguagesTest::numbers).toList());
    assertThat(numbers(zh).stream().sorted().toList())
        .isEqualTo(numbers(en).stream().sorted().toList());
    assertThat(all("`[^`\n]+`", zh).sorted()).isEqualTo(all("`[^`\n]+`", en).sorted().toList());
  }

  @Test
  void aSecondParallelismExtendsThePageAndKeepsWhatAPersonWrote(@TempDir Path directory)
      throws Exception {
    Path shared = directory.resolve("shared");
    Path page = Files.createDirectories(shared).resolve("allreduce-tuning.md");
    Files.writeString(page, "# My notes\r\n\nkeep\tthis  ");
    ReportWriter.write(directory.resolve("a"), shared, NIGHT);
    String once = Files.readString(page);
    assertThat(once).startsWith("# My notes\r\n\nkeep\tthis  ").contains("⭐");
    String edited = once + "\nmore words\n";
    Files.writeString(page, edited);
    ReportWriter.write(directory.resolve("a"), shared, NIGHT);
    assertThat(Files.readString(page)).isEqualTo(edited);
    assertThat(shared.resolve("allreduce-tuning.zh.md")).exists();
    assertThat(OtherCell.read(Files.readString(shared.resolve("allreduce-tuning.json"))))
        .singleElement()
        .satisfies(
            cell -> {
              assertThat(cell.rows()).hasSize(8);
              assertThat(cell.recipe()).isPresent();
              assertThat(TuningReport.of(NIGHT, List.of(), Phrases.EN, List.of(cell)))
                  .contains("## Sign flips vs other parallelisms", "0 of 8 profiles");
            });
  }

  /** What each line is: a heading of a level, a bullet, a row of so many cells, a picture. */
  private static List<String> shape(String page) {
    return page.lines()
        .map(
            line ->
                line.startsWith("#")
                    ? line.substring(0, line.indexOf(' '))
                    : line.startsWith("|")
                        ? "row " + line.replace("\\|", "").chars().filter(c -> c == '|').count()
                        : line.startsWith("![")
                            ? line.substring(line.indexOf("]("))
                            : line.isEmpty() ? "" : line.substring(0, 1).equals("-") ? "-" : "text")
        .toList();
  }

  private static List<String> numbers(String text) {
    return all("[+-]?\\d+(?:\\.\\d+)?", text).toList();
  }

  private static List<String> places(String text) {
    return all("\\{\\d\\}", text).sorted().toList();
  }

  private static java.util.stream.Stream<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(m -> m.group());
  }
}
