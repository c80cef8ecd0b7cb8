package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

/** For any text in a sweep file: it loads, or every problem has a place in a file. */
@Tag("sweep")
@Tag("slow")
class AnyInputTest {
  private static final Pattern PROBLEM = Pattern.compile("\\S+:\\d+:\\d+: \\S.*", Pattern.DOTALL);
  private static final String[] KEYS = {
    "model",
    "parallelism",
    "slot",
    "nodelist",
    "partition",
    "nodes",
    "workload",
    "kind",
    "metric",
    "name",
    "better",
    "configTags",
    "plan",
    "waves",
    "profiles",
    "select",
    "from",
    "split",
    "if",
    "when",
    "repetitions",
    "catalogs",
    "env",
    "flags",
    "overrides",
    "base",
    "budget",
    "jobs",
    "hours",
    "until",
    "policy",
    "targetGain",
    "jobTimeLimit",
    "playbook",
    "wrkload",
    "",
    "ke y"
  };
  private static final String[] VALUES = {
    "kernels",
    "openmpi",
    "n[1-2]",
    "n[1-",
    "ranks=2",
    "PP=4,FSDP=2",
    "60",
    "-1",
    "0x1F",
    "1e999",
    ".5",
    "5%",
    "07:30",
    "true",
    "~",
    "",
    "screen",
    "baseline",
    "[",
    "]",
    "{",
    "}",
    "- a",
    "&a 1",
    "*a",
    "!!int x",
    "!foo x",
    "|",
    ">",
    "\"",
    "'",
    "%",
    "@",
    "`",
    "\t",
    "# no",
    "? x",
    "<<",
    "1h"
  };

  @Property(tries = 150)
  void treesWithTyposAreToldByPlace(@ForAll("trees") String text) {
    holds(text);
  }

  @Property(tries = 80)
  void aGoodFileWithAnySpoiltCharacterIsToldByPlace(
      @ForAll("places") int at, @ForAll("characters") String inserted) {
    String good = SweepFileTest.SWEEP;
    int i = at % good.length();
    holds(good.substring(0, i) + inserted + good.substring(i));
    holds(good.substring(0, i) + good.substring(Math.min(good.length(), i + 1)));
    holds(good.substring(0, i));
  }

  @Property(tries = 200)
  void anyTextAtAllIsToldByPlace(@ForAll String text) {
    holds(text);
  }

  private static void holds(String text) {
    try {
      SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("nowhere/sweep.yaml")));
    } catch (InvalidInputException e) {
      assertThat(e.problems()).isNotEmpty();
      int lines = (int) text.chars().filter(c -> c == '\n' || c == '\r').count() + 2;
      assertThat(e.problems())
          .allSatisfy(
              p -> {
                assertThat(p.toString()).matches(PROBLEM);
                assertThat(p.place().column()).isPositive();
                if (p.place().file().equals("sweep.yaml")) {
                  assertThat(p.place().line()).isBetween(1, Math.max(lines, text.length() + 2));
                }
              });
    }
  }

  @Provide
  Arbitrary<String> trees() {
    return tree(3).map(lines -> String.join("\n", lines) + "\n");
  }

  private static Arbitrary<List<String>> tree(int depth) {
    Arbitrary<List<String>> entry =
        depth == 0
            ? leaf()
            : Arbitraries.frequencyOf(
                Tuple.of(3, leaf()),
                Tuple.of(
                    2,
                    Combinators.combine(Arbitraries.of(KEYS), tree(depth - 1))
                        .as(
                            (key, lines) -> {
                              List<String> all = new ArrayList<>(List.of(key + ":"));
                              lines.forEach(l -> all.add("  " + l));
                              return all;
                            })));
    return entry
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .map(entries -> entries.stream().flatMap(List::stream).toList());
  }

  private static Arbitrary<List<String>> leaf() {
    return Combinators.combine(Arbitraries.of(KEYS), Arbitraries.of(VALUES))
        .as((key, value) -> List.of(key + ": " + value));
  }

  @Provide
  Arbitrary<Integer> places() {
    return Arbitraries.integers().between(0, 10_000);
  }

  @Provide
  Arbitrary<String> characters() {
    return Arbitraries.of(
        "x",
        " ",
        "\n",
        ":",
        ": ",
        "\t",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        ",",
        "#",
        "-",
        "\u0000",
        "\ud83d\ude00",
        "&",
        "*",
        "!",
        "|",
        "\n  ");
  }
}
