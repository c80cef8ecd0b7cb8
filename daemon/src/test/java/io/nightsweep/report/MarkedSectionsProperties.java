package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

@Tag("xla")
class MarkedSectionsProperties {
  /** Whatever people write before, between and after, not a byte of it is lost or moved. */
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
        .isEqualTo(second.stripTrailing().length() - first.stripTrailing().length());
    assertThat(MarkedSections.put(again, "FSDP=8", second)).isEqualTo(again);
  }

  /** A mark whose end a person deleted is theirs. */
  @Property(tries = 200)
  void aBeginWithoutAnEndIsLeftAlone(@ForAll("writing") String words) {
    String page = MarkedSections.begin("PP=8") + "\n" + words;
    assertThat(MarkedSections.put(page, "PP=8", "new")).startsWith(page);
  }

  @Provide
  Arbitrary<String> writing() {
    return Arbitraries.strings()
        .withChars("ab #|`<>-!\n\r\t~é排")
        .ofMaxLength(60)
        .filter(text -> !text.contains("nightsweep:"));
  }
}
