package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

@Tag("xla")
class MarkedSectionsProperties {
  /**
   * Whatever people write before, between and after the sections, no byte of it is lost or moved.
   */
  @Property(tries = 500)
  void whatPeopleWroteIsKept(
      @ForAll("writing") String before,
      @ForAll("writing") String between,
      @ForAll("writing") String after,
      @ForAll("writing") String first,
      @ForAll("writing") String second) {
    String page = MarkedSections.put(before, "FSDP=8", first) + between;
    page = MarkedSections.put(page, "PP=8", first) + after;
    String again = MarkedSections.put(page, "FSDP=8", second);
    assertThat(again).startsWith(before).endsWith(after).contains(between);
    assertThat(again.length() - page.length())
        .isEqualTo(second.strip().length() - first.strip().length());
    assertThat(MarkedSections.put(again, "FSDP=8", second)).isEqualTo(again);
  }

  /** A page in no known encoding. */
  @Property(tries = 200)
  void bytesThatAreNoTextAreKept(
      @ForAll @Size(min = 1, max = 40) byte[] before, @ForAll("writing") String section) {
    byte[] page = MarkedSections.put(before, "PP=8", section);
    assertThat(page).startsWith(before);
    byte[] again = MarkedSections.put(page, "PP=8", section + "more");
    assertThat(again).startsWith(before);
    assertThat(new String(again, StandardCharsets.UTF_8)).contains(section.strip());
  }

  /**
   * Words that a person puts into a section stay, whatever is written later, and the page does not
   * keep growing.
   */
  @Property(tries = 500)
  void whatAPersonEditsInsideASectionIsTheirs(
      @ForAll("writing") String before,
      @ForAll("report") String section,
      @ForAll("writing") String edit,
      @ForAll("spot") double spot,
      @ForAll @Size(min = 1, max = 4) List<@From("report") String> later) {
    String page = MarkedSections.put(before, "PP=8", section);
    int body = page.indexOf(section.strip(), before.length());
    int at = body + (int) (spot * section.strip().length());
    String edited = page.substring(0, at) + edit + page.substring(at);
    String now = edited;
    String last = "";
    for (String each : later) {
      now = MarkedSections.put(now, "PP=8", each);
      last = each.strip();
    }
    String words = edited.substring(body, edited.indexOf("\n" + MarkedSections.end("PP=8"), body));
    if (words.equals(section.strip())) {
      assertThat(now).isEqualTo(MarkedSections.put(before, "PP=8", last));
    } else {
      assertThat(now).startsWith(before).contains(words).contains(last);
      assertThat(now.length())
          .isLessThanOrEqualTo(edited.length() + last.length() + 2 * "nightsweep".length() + 80);
    }
  }

  /**
   * A mark without the end that a person deleted belongs to the person; later sections are still
   * found.
   */
  @Property(tries = 200)
  void aBeginWithoutAnEndIsLeftAlone(@ForAll("writing") String words) {
    String page = MarkedSections.begin("PP=8", "old") + "\n" + words;
    String once = MarkedSections.put(page, "PP=8", "new");
    assertThat(once).startsWith(page);
    assertThat(MarkedSections.put(once, "PP=8", "newer"))
        .startsWith(page)
        .hasSize(once.length() + 2)
        .doesNotContain("\nnew\n");
  }

  @Provide
  Arbitrary<String> writing() {
    return Arbitraries.strings()
        .withChars("ab #|`<>-!\n\r\t~é排")
        .ofMaxLength(60)
        .filter(text -> !text.contains("nightsweep:"));
  }

  @Provide
  Arbitrary<String> report() {
    return writing().map(text -> "# R" + text + "end");
  }

  @Provide
  Arbitrary<Double> spot() {
    return Arbitraries.doubles().between(0, 1);
  }
}
