package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.plan.Yaml.Scalar;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types by the core schema of YAML 1.2, the place of every value, and what is refused. */
@Tag("guard")
class YamlReaderTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "1, INTEGER, false",
        "012, INTEGER, false",
        "0x1F, INTEGER, false",
        "0o17, INTEGER, false",
        "1_000, TEXT, false",
        "1e3, NUMBER, false",
        ".5, NUMBER, false",
        "-.inf, NUMBER, false",
        "yes, TEXT, false",
        "TRUE, BOOLEAN, false",
        "~, NOTHING, false",
        "\"1\", TEXT, true",
        "'1', TEXT, true",
        "&anchor 1, INTEGER, false",
        "&anchor '1', TEXT, true",
        "!!str 5, TEXT, false",
        "!!int \"5\", INTEGER, true",
        "2020-01-01, TEXT, false"
      })
  void aScalarHasTheTypeOfTheCoreSchema(String written, Scalar.Type type, boolean quoted)
      throws Exception {
    Scalar scalar = (Scalar) read("key: " + written + "\n").get("key").orElseThrow();
    assertThat(scalar.type()).isEqualTo(type);
    assertThat(scalar.style() == Scalar.Notation.QUOTED).isEqualTo(quoted);
    assertThat(scalar.place()).hasToString("f.yaml:1:6");
  }

  @Test
  void columnsCountCharactersAndAMarkOfByteOrderIsNone() throws Exception {
    Yaml.Mapping mapping = read("\uFEFFa: {\uD835\uDCB3: \"q\", z: 1}\n");
    Yaml.Mapping inner = mapping.mapping("a");
    assertThat(inner.get("z").orElseThrow().place()).hasToString("f.yaml:1:16");
    assertThat(((Scalar) inner.get("\uD835\uDCB3").orElseThrow()).style())
        .isEqualTo(Scalar.Notation.QUOTED);
  }

  @Test
  void anAliasStandsForItsAnchor() throws Exception {
    Yaml.Mapping mapping = read("a: &x {b: 1}\nc: *x\n");
    assertThat(mapping.get("c")).isEqualTo(mapping.get("a"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a: &x {b: *x}      | 1:11: an alias that contains itself",
        "a: *no             | 1:4: the alias '*no' has no anchor before it",
        "? [a]#: b          | 1:4: a key that is not a text",
        "{{a}}: b           | 1:2: a key that is not a text",
        "a: 1#---#b: 2      | 3:1: a second document",
        "a: 1#a: 2          | 2:1: duplicate key 'a'; it is already on line 1",
        "a: [1#b: 2         | 2:1: `b` stands within the '[' of line 1, column 4; expected ','",
        "a:#\tb: 1          | 2:1: a tab before a key or a value; expected spaces",
      })
  void whatIsRefusedHasItsPlace(String text, String told) {
    assertThatThrownBy(() -> read(text.replace('#', '\n')))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("f.yaml:" + told);
  }

  @Test
  void whatAliasesMultiplyStopsAtALimit() {
    String laughs =
        "a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
            + IntStream.range(1, 9)
                .mapToObj(i -> "a%d: &a%d [%s]".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)))
                .collect(Collectors.joining("\n"));
    assertThatThrownBy(() -> read(laughs)).hasMessageContaining("too many values");
    String deep = "a: " + "[".repeat(60) + "]".repeat(60);
    assertThatThrownBy(() -> read(deep)).hasMessageContaining("1:54: nested too deeply");
  }

  private static Yaml.Mapping read(String text) throws InvalidInputException {
    Problems problems = new Problems();
    Yaml.Mapping mapping = YamlReader.read("f.yaml", text, problems);
    problems.throwIfAny();
    return mapping;
  }
}
