package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Lines break between words, whichever command prints them and however narrow the terminal is. */
@Tag("people")
@Tag("slow")
class TerminalLinesTest {
  @ParameterizedTest
  @ValueSource(ints = {20, 60, 80})
  void aTerminalIsGivenLinesThatFitIt(int columns) {
    String text =
        "Telegram: off (no credentials in the environment or in ~/.tg_config); all commands work";
    String shown = folded(columns, out -> out.println("ok    " + text + "\nnext"));
    assertThat(shown.lines()).allMatch(line -> line.length() <= columns).endsWith("next");
    assertThat(words(shown)).isEqualTo(words("ok " + text + " next"));
  }

  @Test
  void tablesAndJsonAreCopiedAndStayWhole() {
    String row = "| `a profile` | `--a_flag=1 --another_flag=2` | 1006.5 | +2.1 % |";
    String json = "{\"sweep\": \"night\", \"phase\": \"running\", \"jobs\": 21}";
    assertThat(folded(30, out -> out.println(row + "\n" + json)))
        .isEqualTo(row + "\n" + json + "\n");
  }

  @Test
  void aQuestionStandsBeforeItsAnswerIsKnown() {
    StringWriter terminal = new StringWriter();
    PrintWriter out = new PrintWriter(new Folded(terminal, () -> 20), true);
    out.print("how many? ");
    out.flush();
    assertThat(terminal).hasToString("how many? ");
    out.println("as many as there are of them");
    assertThat(terminal).hasToString("how many? as many as there are of them\n");
  }

  @Test
  void colourTakesNoColumn() {
    String coloured = "\033[33m--state\033[39m\033[0m is \033[1mwhere\033[0m it all lives";
    assertThat(Wrapped.line(coloured, 29)).hasSize(1);
    assertThat(Wrapped.line(coloured, 28)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80})
  void aLongLineIsBrokenBetweenWordsAndKeepsPathsWhole(int columns) {
    String path = "/home/ann/.local/state/nightsweep/sweeps/zipper-ranks-2/jobs/t0001a1/job.log";
    String line =
        "  no-measurement: 0 of 8 lines match workload.pattern; try it on " + path + " now";
    List<String> parts = Wrapped.line(line, columns);
    assertThat(parts).hasSizeGreaterThan(1);
    assertThat(parts).filteredOn(part -> part.length() > columns).allMatch(p -> p.endsWith(path));
    assertThat(parts.subList(1, parts.size())).allMatch(part -> part.startsWith("      "));
    assertThat(String.join(" ", parts.stream().map(String::strip).toList()))
        .isEqualTo(line.strip());
    assertThat(Wrapped.line(line, Integer.MAX_VALUE)).containsExactly(line);
  }

  @Test
  void whatAnEncodingLacksIsWrittenInWhatItHas() {
    assertThat(shown("⭐ `p3` Δ +5 %…  ▁█▌ naïve 步", StandardCharsets.US_ASCII))
        .isEqualTo("* `p3` delta +5 %~  .## na?ve ?");
    assertThat(shown("⭐ naïve", StandardCharsets.ISO_8859_1)).isEqualTo("* naïve");
    String all = "⭐ Δ ▌ naïve 步 😀";
    assertThat(shown(all, StandardCharsets.UTF_8)).isEqualTo(all);
  }

  static Stream<String> commands() {
    return Main.commandLine().getSubcommands().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpBreaksNoWordNorPath(String command) {
    String wide = help(Integer.MAX_VALUE, command);
    for (int columns : new int[] {60, 80}) {
      String help = help(columns, command);
      assertThat(words(help)).isEqualTo(words(wide));
      assertThat(help.lines())
          .allMatch(line -> line.length() <= columns || !line.strip().contains(" "));
      assertThat(help).doesNotContain("~/.\n", "SWEEP.\n");
    }
  }

  @Test
  void whatAnOptionMeansStandsInOneColumn() {
    assertThat(help(80, "start"))
        .startsWith("Usage: nightsweep start [")
        .contains("      --page                Open the page too")
        .contains(
            "      --together            Several files, whose sweeps take turns on the same\n"
                + " ".repeat(28)
                + "nodes and share the sum of their budgets.\n")
        .contains("[--at=HH:MM]\n                        [--cluster=<cluster>]");
  }

  @Test
  void colouredHelpStandsInTheSameColumns() {
    for (String command : List.of("start", "init")) {
      StringWriter out = new StringWriter();
      CommandLine line = Main.commandLine(() -> 60).setOut(new PrintWriter(out, true));
      line.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.ON));
      CommandLine asked = Objects.requireNonNull(line.getSubcommands().get(command));
      asked.usage(line.getOut(), CommandLine.Help.Ansi.ON);
      assertThat(out.toString()).contains("\033[");
      assertThat(Wrapped.uncoloured(out.toString())).isEqualTo(help(60, command));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          help strat                       | there is no command 'strat'; did you mean 'start'?
          strat sweep.yaml                 | there is no command 'strat'; did you mean 'start'?
          --cluser local start x           | there is no option '--cluser'; did you mean '--cluster'?
          init --cluster lcoal             | --cluster 'lcoal': expected one of slurm, local; did you mean 'local'?
          start --at 25:00 sweep.yaml      | --at '25:00': expected an hour of the day, such as 20:00 or 07:30
          start --at 8pm sweep.yaml        | --at '8pm': expected an hour of the day, such as 20:00 or 07:30
          budget --jobs many               | --jobs 'many': expected a number
          rehearse --nights many           | --nights 'many': expected a number
          rehearse --noise-family usaul s  | --noise-family 'usaul': expected one of
          """)
  void aSlipOnTheCommandLineIsToldWithoutJava(String typed, String told) {
    Typed slip = Typed.line(typed.split(" +"));
    assertThat(slip.code()).isEqualTo(ExitCode.USAGE);
    assertThat(slip.err()).contains(told).doesNotContain("java.", "Exception");
  }

  private static String help(int columns, String command) {
    StringWriter out = new StringWriter();
    int code =
        Main.commandLine(() -> columns).setOut(new PrintWriter(out, true)).execute("help", command);
    assertThat(code).isZero();
    return out.toString();
  }

  /** What prints. */
  private interface Printing {
    void to(PrintWriter out);
  }

  private static String shown(String text, Charset encoding) {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintWriter out =
        Transliterated.of(
            new PrintStream(written, true, StandardCharsets.UTF_8),
            encoding,
            () -> Integer.MAX_VALUE);
    out.print(text);
    out.flush();
    return written.toString(encoding);
  }

  private static String folded(int columns, Printing printing) {
    StringWriter terminal = new StringWriter();
    try (PrintWriter out = new PrintWriter(new Folded(terminal, () -> columns), true)) {
      printing.to(out);
    }
    return terminal.toString();
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split("\\s+"));
  }
}
