package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.llm.LlmDoor;
import io.nightsweep.llm.Scores;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Wave;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.ListItem;
import org.commonmark.node.Paragraph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Chinese page says what the English one says: same structure, same numbers. */
@Tag("xla")
class TwoLanguagesTest {
  @Test
  void bothCataloguesHaveTheSameKeysAndPlaces() {
    assertThat(Phrases.ZH.keys()).isEqualTo(Phrases.EN.keys());
    for (String key : Phrases.EN.keys()) {
      assertThat(places(Phrases.ZH.text(key))).as(key).isEqualTo(places(Phrases.EN.text(key)));
    }
  }

  @Test
  void theEndsOfJobsAreCountedInTheReadersLanguage() {
    SweepEnding ending =
        new SweepEnding.NothingMeasured(
            List.of(new SweepEnding.EndCount("oom-gpu", 3), new SweepEnding.EndCount("void", 1)));
    assertThat(Sentences.of(ending, Phrases.EN)).contains("3 x oom-gpu, 1 x void");
    assertThat(Sentences.of(ending, Phrases.ZH)).contains("3 x oom-gpu, 1 x 作废");
  }

  /** If two lines have the same key, the reader of properties silently keeps the later one. */
  @ParameterizedTest
  @ValueSource(strings = {"en", "zh"})
  void noKeyIsGivenTwice(String language) throws Exception {
    try (InputStream in =
        TwoLanguagesTest.class.getResourceAsStream(
            "/templates/report/" + language + ".properties")) {
      List<String> keys =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> line.matches("[\\w.-]+=.*"))
              .map(line -> line.substring(0, line.indexOf('=')))
              .toList();
      assertThat(keys).hasSizeGreaterThan(500).doesNotHaveDuplicates();
    }
  }

  /** A new word of the model must not prevent a report. */
  @Test
  void everyWordOfTheModelHasItsText() {
    assertThat(Phrases.EN.keys())
        .containsAll(keys("cause.", Event.ProfileDropped.DropCause.values()))
        .containsAll(keys("purpose.", Trial.Purpose.values()))
        .containsAll(keys("then.", Remedy.Then.values()))
        .containsAll(keys("kind.", Wave.Kind.values()))
        .containsAll(keys("flip.", OtherCell.Flip.values()))
        .containsAll(keys("better.", Metric.Better.values()))
        .containsAll(keys("llm.score.", Scores.HypothesisScore.values()))
        .containsAll(keys("llm.closed.", LlmDoor.ClosedBy.values()))
        .containsAll(keys("words.llm-outcome.", LlmAnswer.LlmOutcome.values()))
        .contains("verdict.win", "verdict.loss", "verdict.neutral", "verdict.undecided");
  }

  private static List<String> keys(String prefix, Enum<?>[] words) {
    return Stream.of(words).map(w -> prefix + w.name().toLowerCase(Locale.ROOT)).toList();
  }

  static Stream<SweepState> nights() {
    return Stream.concat(TuningNights.both(), Stream.of(ReportTest.NIGHT.state()));
  }

  @ParameterizedTest
  @MethodSource("nights")
  void headingsTablesFiguresAndCodeAreTheSame(SweepState night) throws Exception {
    List<OtherCell> others =
        TuningFile.read(
            new String(
                TuningFile.with(
                    night.cell().parallelism().equals("PP=8")
                        ? TuningNights.fsdp()
                        : TuningNights.pp(),
                    ""),
                StandardCharsets.UTF_8));
    String en = TuningReport.of(night, Charts.of(night, Phrases.EN), Phrases.EN, others);
    String zh = TuningReport.of(night, Charts.of(night, Phrases.ZH), Phrases.ZH, others);
    assertThat(zh).contains("排行榜").doesNotContain("Leaderboard");
    assertThat(shape(zh)).containsExactlyElementsOf(shape(en));
    // Tables have the same numbers in the same cells; sentences may order theirs by their own
    // grammar.
    assertThat(rows(zh)).containsExactlyElementsOf(rows(en));
    assertThat(numbers(zh).stream().sorted()).containsExactlyElementsOf(sorted(numbers(en)));
  }

  /**
   * All nodes of the page in order, reduced to what does not depend on the language: levels, code,
   * pictures.
   */
  private static List<String> shape(String page) {
    ArrayList<String> shape = new ArrayList<>();
    ReportTest.parse(page)
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Heading heading) {
                shape.add("heading " + heading.getLevel());
                visitChildren(heading);
              }

              @Override
              public void visit(Paragraph paragraph) {
                // Sentences may name things in their own order: their code is compared as a set.
                shape.add("paragraph " + codes(paragraph));
              }

              @Override
              public void visit(ListItem item) {
                shape.add("item");
                visitChildren(item);
              }

              @Override
              public void visit(FencedCodeBlock block) {
                shape.add(block.getInfo() + "\n" + block.getLiteral());
              }

              @Override
              public void visit(Code code) {
                shape.add(code.getLiteral());
              }

              @Override
              public void visit(CustomBlock block) {
                shape.add(block.getClass().getSimpleName());
                visitChildren(block);
              }

              @Override
              public void visit(CustomNode node) {
                shape.add(node.getClass().getSimpleName());
                visitChildren(node);
              }
            });
    return shape;
  }

  private static List<String> codes(Paragraph paragraph) {
    ArrayList<String> codes = new ArrayList<>();
    paragraph.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Code code) {
            codes.add(code.getLiteral());
          }

          @Override
          public void visit(Image image) {
            // Each language has its own pictures.
            codes.add(image.getDestination().replace(".zh.png", ".png"));
          }
        });
    codes.sort(null);
    return codes;
  }

  private static List<List<String>> rows(String page) {
    return all("(?m)^\\|.*$", page).map(TwoLanguagesTest::numbers).toList();
  }

  private static List<String> numbers(String text) {
    return all("[+-]?\\d+(?:\\.\\d+)?", text).toList();
  }

  private static List<String> places(String text) {
    return all("\\{\\d\\}", text).sorted().toList();
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }

  private static Stream<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(m -> m.group());
  }
}
