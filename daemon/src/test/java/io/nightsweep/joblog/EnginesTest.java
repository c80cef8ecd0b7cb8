package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.nightsweep.triage.NoiseLines;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("joblog")
class EnginesTest {
  /** Both engines find the same lines. */
  @Test
  void withoutTheNativeEngineTheSameIsFound() {
    SortedMap<Integer, String> patterns =
        numbered(
            List.of("is broken", "(?i)OOM[-_]kill", "\\bstep: \\d+", "loss: (?:nan|inf)", "a.*b"));
    NoiseLines noise = new NoiseLines(5, true);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      text.append(noise.next()).append('\n');
      text.append(i % 97 == 0 ? "it is broken\n" : "").append(i % 89 == 0 ? "oom_kill\n" : "");
      text.append(i % 83 == 0 ? "step: 12 loss: nan\n" : "").append(i % 79 == 0 ? "axxb\n" : "");
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    assertThat(lines(new NativePatternSet(patterns), buffer, bytes))
        .isEqualTo(lines(new Re2PatternSet(patterns), buffer, bytes))
        .hasSizeGreaterThan(80);
  }

  /** Sets that are searched for in one pass, and those that are not, keep their own numbers. */
  @Test
  void joinedPatternsAreReportedByTheirSets() {
    byte[] bytes = "one two\nthree\n".getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    TreeSet<String> found = new TreeSet<>();
    new JoinedPatterns(
            List.of(
                PatternSets.ofWords(List.of("none", "two")),
                PatternSet.NONE,
                new LinePatternSet(),
                PatternSets.ofWords(List.of("three"))))
        .scan(
            buffer,
            0,
            bytes.length,
            (id, end) -> found.add((id >>> 24) + "." + (id & 0xffffff) + " at " + end));
    assertThat(found).containsExactly("0.1 at 7", "2.0 at 14", "2.0 at 8", "3.0 at 13");
  }

  /** A character of several bytes is one character to a pattern. */
  @Test
  void aCharacterOfSeveralBytesIsOneToBoth() {
    List<String> lines =
        List.of(
            "couldn’t load",
            "no — — — gpu",
            "caché: full",
            "„x“ lost",
            "naïve 12",
            "x…y",
            "[é]b",
            "couldn't load",
            "no 12 gpu",
            "no 123456789 gpu",
            "no é23456789 gpu",
            "no 34 6gpu",
            "x--y",
            "gpu\u000block");
    for (String pattern :
        List.of(
            "couldn.t",
            "couldn.?t",
            "gpu\\slock",
            "no [^:\\n]{0,8}gpu",
            "no .{5}gpu",
            "cach\\S: ",
            "\\Wx\\W lost",
            "na[^a]ve \\d+",
            "x[\\W_]y",
            "\\[.\\]b",
            "x.{1,}y")) {
      SortedMap<Integer, String> one = numbered(List.of(pattern));
      for (String line : lines) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        TreeSet<Integer> fast = new TreeSet<>();
        TreeSet<Integer> slow = new TreeSet<>();
        new NativePatternSet(one).scan(buffer, 0, bytes.length, (id, end) -> fast.add(id));
        new Re2PatternSet(one).scan(buffer, 0, bytes.length, (id, end) -> slow.add(id));
        assertThat(fast).as(pattern + " in " + line).containsAll(slow);
        assertThat(new LinePatterns(one).matching(line))
            .as(pattern + " in " + line)
            .containsExactlyElementsOf(slow);
      }
    }
  }

  private static SortedMap<Integer, String> numbered(List<String> expressions) {
    TreeMap<Integer, String> numbered = new TreeMap<>();
    expressions.forEach(e -> numbered.put(numbered.size(), e));
    return numbered;
  }

  private static Set<String> lines(PatternSet set, ByteBuffer buffer, byte[] bytes) {
    TreeSet<String> found = new TreeSet<>();
    set.scan(
        buffer,
        0,
        bytes.length,
        (pattern, end) -> {
          int start = end - 1;
          while (start > 0 && bytes[start - 1] != '\n') {
            start--;
          }
          int stop = end - 1;
          while (bytes[stop] != '\n') {
            stop++;
          }
          String line = new String(bytes, start, stop - start, StandardCharsets.UTF_8);
          if (Pattern.compile(
                  List.of(
                          "is broken",
                          "(?i)OOM[-_]kill",
                          "\\bstep: \\d+",
                          "loss: (?:nan|inf)",
                          "a.*b")
                      .get(pattern))
              .matcher(line)
              .find()) {
            found.add(pattern + "@" + start);
          }
        });
    return found;
  }
}
