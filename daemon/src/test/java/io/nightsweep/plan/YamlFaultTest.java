package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text that is not YAML is explained in terms that its author understands. */
@Tag("people")
class YamlFaultTest {
  /** Lines end with {@code ~}. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '^',
      delimiterString = "=>",
      textBlock =
          """
          model: demo~  profiles:~    a: {env: {A: 1}}       => 2:3: `profiles` is indented deeper than `model` before it, which has its value; expected it in column 1, as `model`
          slot: {nodes: 1}~  profiles:~    a: 1              => 2:3: `profiles` is indented deeper than `slot` before it, which has its value; expected it in column 1, as `slot`
          model: "demo"~ plan: kernels                       => 2:2: `plan` is indented deeper than `model` before it, which has its value; expected it in column 1, as `model`
          workload:~    kind: command~  steps: 3             => 3:3: `steps` begins in column 3, but nothing above that it could follow begins there; expected it in column 5, as `kind`, or column 1, as `workload`
          workload:~  command: |~    echo a: b~   steps: 3   => 4:4: `steps` is indented deeper than `command` before it, which has its value; expected it in column 3, as `command`
          a:~  - name: x~     size: 1                        => 3:6: `size` is indented deeper than `name` before it, which has its value; expected it in column 5, as `name`
          a:~  - name: x~   size: 1                          => 3:4: `size` begins in column 4, but nothing above that it could follow begins there; expected it in column 5, as `name`, or column 3, as `-`, or column 1, as `a`
          model demo~plan: kernels                           => 1:1: `model` has no ': ' behind it; expected 'key: value', with a space behind the colon
          model:demo~plan: kernels                           => 1:1: `model` has no ': ' behind it; expected 'key: value', with a space behind the colon
          a: "b~  c"~  plan: kernels                         => 3:3: `plan` is indented deeper than `a` before it, which has its value; expected it in column 1, as `a`
          a:~  b c~  plan: kernels                           => 2:3: `b` has no ': ' behind it; expected 'key: value', with a space behind the colon
          a: 1~plan kernels~b: 2                             => 2:1: `plan` has no ': ' behind it; expected 'key: value', with a space behind the colon
          pattern: step: (?<step>a)                          => 1:14: a second ':' in the value of `pattern`; expected quotes around a value that has one
          pattern: "step (?<step>\\d+)"                      => 1:25: '\\d' between double quotes; expected single quotes, in which a backslash is an ordinary character, or '\\\\d'
          TOKEN hunter2~b: 1                                 => 1:1: `TOKEN` has no ': ' behind it; expected 'key: value', with a space behind the colon
          a: @b                                              => 1:4: a value that begins with '@'; expected quotes around it
          a:~\tb: 1                                          => 2:1: a tab before a key or a value; expected spaces
          a: 'b~c: 1~                                        => 1:4: a quote that nothing closes; expected the closing quote at the end of the text
          slot: {nodes: 1~plan: kernels                      => 2:1: `plan` stands within the '{' of line 1, column 7; expected ',' before it, or '}'
          slot: [1, 2                                        => 1:7: a '[' that nothing closes; expected ']'
          a: *b*                                             => 1:6: not YAML: while scanning an alias
          """)
  void theUsualFaultsAreNamed(String text, String told) {
    Problems problems = new Problems();
    Yaml.Mapping unused =
        YamlReader.read("f.yaml", text.replace("~", "\n").replace("\\t", "\t"), problems);
    assertThat(problems.all())
        .singleElement()
        .asString()
        .startsWith("f.yaml:" + told)
        .doesNotContain("block", "<", "hunter2");
  }

  /** A program may propose any text, and its faults are reported too. */
  @ParameterizedTest
  @ValueSource(strings = {"- ", " ", "x", "> ", "|1"})
  @Tag("guard")
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aLineWithoutEndIsReadInTimeThatGrowsWithItsLength(String part) {
    Problems problems = new Problems();
    String text =
        "a: \"\n  a" + " ".repeat(500_000) + "\n " + part.repeat(500_000) + "b\"\n  c: 1\n";
    Yaml.Mapping unused = YamlReader.read("f.yaml", text, problems);
    assertThat(problems.all()).singleElement().asString().startsWith("f.yaml:4:3: ");
  }
}
