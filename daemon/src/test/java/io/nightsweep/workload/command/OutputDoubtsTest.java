package io.nightsweep.workload.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Diagnosis;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reasons why a command's output is no measurement, in both languages. */
@Tag("shipped")
@Tag("guard")
class OutputDoubtsTest {
  private static final CommandSettings SETTINGS =
      CommandSettings.of(
          Map.of(
              "command",
              "./train.sh",
              "pattern",
              "step (?<step>\\d+) (?<value>\\d+)",
              "steps",
              "5"),
          1);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bash: train: command not found              | false | false | program-missing | 缺少程序，或其所需的库或文件",
        "Segmentation fault (core dumped)            | false | false | crashed         | 程序崩溃",
        "Segmentation fault (core dumped)            | false | true  | crashed         | 作业仍以退出码 0 结束",
        "speed 1234.5                                | false | true  | no-measurement  | 日志中有“speed 1234.5”",
        "ready                                       | false | true  | no-measurement  | 1 行中没有一行匹配",
        "step 1 10                                   | true  | true  | too-few-steps   | 应为第 4 步。",
        "step 4 0                                    | true  | true  | no-measurement  | 没有正的数值",
        "step 6 10                                   | true  | true  | no-measurement  | 日志一直到第 6 步，超出 workload.steps 5",
        "step 100 10                                 | true  | true  | no-measurement  | 日志一直到第 100 步，超出 workload.steps 5",
        "''                                          | false | true  | disk-full       | 日志为空",
      })
  void isToldInBothLanguages(
      String line, boolean isStep, boolean endedWell, String failureClass, String chinese) {
    OutputDoubts doubts = new OutputDoubts();
    doubts.line(line(line), isStep, words(line));
    Diagnosis told =
        doubts
            .diagnosis(
                SETTINGS, isStep ? Integer.parseInt(line.split(" ")[1]) : -1, 0, false, endedWell)
            .orElseThrow();
    assertThat(told.failureClass()).isEqualTo(failureClass);
    assertThat(Phrases.ZH.text(told.detail())).contains(chinese);
  }

  /** What the single pass skips, no expression could match. */
  @Test
  void everySamplesLineIsToldTheSameWithAllWords() throws Exception {
    Playbooks packed = new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));
    List<String> lines =
        packed.samples("any").stream().flatMap(sample -> sample.log().lines()).toList();
    assertThat(lines).hasSizeGreaterThan(500);
    for (String line : lines) {
      OutputDoubts quick = new OutputDoubts();
      quick.line(line(line), false, words(line));
      OutputDoubts slow = new OutputDoubts();
      slow.line(line(line), false, new int[] {1, 2, 3, 4});
      assertThat(quick.diagnosis(SETTINGS, -1, 0, true, true))
          .as(line)
          .isEqualTo(slow.diagnosis(SETTINGS, -1, 0, true, true));
    }
  }

  private static Line line(String text) {
    return Line.of(Path.of("job.log"), Rank.NONE, 1, 1, 1, text);
  }

  private static int[] words(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    TreeSet<Integer> found = new TreeSet<>();
    OutputDoubts.WORDS.scan(buffer, 0, bytes.length, (word, end) -> found.add(word));
    return found.stream().mapToInt(Integer::intValue).toArray();
  }
}
