package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

@Tag("sweep")
@Tag("guard")
class HostlistTest {

  @Example
  void readsWhatSlurmWrites() throws Exception {
    assertThat(Hostlist.parse("n[1-3,5]")).containsExactly("n1", "n2", "n3", "n5");
    assertThat(Hostlist.parse("gpu[08-11]")).containsExactly("gpu08", "gpu09", "gpu10", "gpu11");
    assertThat(Hostlist.parse("r[1-2]n[1-2]-ib,login"))
        .containsExactly("r1n1-ib", "r1n2-ib", "r2n1-ib", "r2n2-ib", "login");
    assertThat(Hostlist.parse("a[007-7]")).containsExactly("a007");
  }

  @Example
  void writesRangesAndKeepsPadding() {
    assertThat(Hostlist.format(List.of("n1", "n2", "n3", "n5"))).isEqualTo("n[1-3,5]");
    assertThat(Hostlist.format(List.of("n9", "n10", "n11"))).isEqualTo("n[9-11]");
    assertThat(Hostlist.format(List.of("n09", "n10"))).isEqualTo("n[09-10]");
    assertThat(Hostlist.format(List.of("n1", "n01"))).isEqualTo("n[1,01]");
    assertThat(Hostlist.format(List.of("n10", "n08", "n9"))).isEqualTo("n[10,08,9]");
    assertThat(Hostlist.format(List.of("login", "n2"))).isEqualTo("login,n2");
  }

  @Property(tries = 5000)
  void whatIsWrittenIsReadBack(@ForAll("hosts") List<String> hosts) throws Exception {
    assertThat(Hostlist.parse(Hostlist.format(hosts))).isEqualTo(hosts);
  }

  @Property
  void writingWhatWasReadLosesNothing(@ForAll("expressions") String expression) throws Exception {
    List<String> hosts = Hostlist.parse(expression);
    assertThat(Hostlist.parse(Hostlist.format(hosts))).isEqualTo(hosts);
    assertThat(hosts).isNotEmpty().allMatch(h -> h.matches("[A-Za-z0-9_.-]+"));
  }

  @Property(tries = 5000)
  void anyTextIsReadOrRefusedAtACharacterOfIt(@ForAll("noise") String text) {
    try {
      assertThat(Hostlist.parse(text)).isNotEmpty();
    } catch (Hostlist.SyntaxException e) {
      assertThat(e.index()).isBetween(0, text.length());
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  @Example
  void aRangeThatWouldFillMemoryIsRefused() {
    assertThatThrownBy(() -> Hostlist.parse("n[0-999999999]")).hasMessageContaining("more than");
    assertThatThrownBy(() -> Hostlist.parse("n[0-999]".repeat(5))).hasMessageContaining("more");
  }

  @Provide
  Arbitrary<List<String>> hosts() {
    return Combinators.combine(
            Arbitraries.of("n", "gpu-", "r1n", "", "x.y_", "n0", "node123"),
            Arbitraries.integers().between(0, 120),
            Arbitraries.integers().between(1, 4))
        .as((prefix, number, width) -> prefix + ("%0" + width + "d").formatted(number))
        .list()
        .ofMinSize(1)
        .ofMaxSize(40)
        .uniqueElements();
  }

  @Provide
  Arbitrary<String> expressions() {
    Arbitrary<String> range =
        Combinators.combine(
                Arbitraries.integers().between(0, 300),
                Arbitraries.integers().between(0, 12),
                Arbitraries.integers().between(1, 4))
            .as(
                (from, length, width) ->
                    ("%0" + width + "d").formatted(from)
                        + (length == 0 ? "" : "-" + (from + length)));
    Arbitrary<String> bracket =
        range.list().ofMinSize(1).ofMaxSize(3).map(r -> "[" + String.join(",", r) + "]");
    Arbitrary<String> plain = Arbitraries.of("n", "r1", "-", "a.b", "x_");
    Arbitrary<String> name =
        Arbitraries.oneOf(plain, bracket)
            .list()
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(p -> String.join("", p));
    return name.list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(n -> String.join(",", n))
        .filter(e -> e.chars().filter(c -> c == '[').count() <= 3);
  }

  @Provide
  Arbitrary<String> noise() {
    return Arbitraries.strings().withChars("n1290[]-, .\t\u00e9").ofMaxLength(20);
  }
}
