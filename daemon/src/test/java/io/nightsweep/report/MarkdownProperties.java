package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomNode;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** No name and no log line changes the structure of a page. */
class MarkdownProperties {
  private final Parser parser =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();

  @Property
  void aTableKeepsItsColumnsWhateverIsInItsCells(
      @ForAll @StringLength(max = 30) @CharRange(from = ' ', to = '~') String text,
      @ForAll @StringLength(max = 30) String wild) {
    String page =
        new Markdown()
            .table(
                List.of("a", "b", "c"),
                List.of(
                    List.of(Markdown.escape(text), Markdown.code(text), "x"),
                    List.of(Markdown.escape(wild), Markdown.code(wild), "x")))
            .toString();
    int[] rows = {0};
    parser
        .parse(page)
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(CustomNode node) {
                if (node instanceof TableRow) {
                  int cells = 0;
                  for (var c = node.getFirstChild(); c != null; c = c.getNext()) {
                    cells += c instanceof TableCell ? 1 : 0;
                  }
                  assertThat(cells).isEqualTo(3);
                  rows[0]++;
                }
                visitChildren(node);
              }
            });
    assertThat(rows[0]).isEqualTo(3);
  }

  /** Many people read the page as plain text. */
  @Example
  @Tag("people")
  void figuresAndSentencesStayReadable() {
    String text = "1.5e+11 (at +100 %)!";
    assertThat(Markdown.escape(text)).isEqualTo(text);
    assertThat(Markdown.escape(" + no item")).isEqualTo(" \\+ no item");
  }

  @Property
  void noTextBecomesHtml(
      @ForAll @StringLength(max = 40) @CharRange(from = ' ', to = '~') String text) {
    String html =
        HtmlRenderer.builder()
            .build()
            .render(
                parser.parse(
                    new Markdown().paragraph("x " + Markdown.escape(text) + " y").toString()));
    assertThat(html).startsWith("<p>x").endsWith("</p>\n");
    assertThat(html.substring(3, html.length() - 5)).doesNotContain("<");
  }
}
