package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.chat.NoticeTexts;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A hundred nights make the recorded decisions, and their texts are the recorded ones. If a change
 * of either is intended, {@code -Dgolden.record=true} rewrites the records below {@code
 * src/test/resources/golden}, and the commit shows the differences.
 *
 * <p>Nights on a real cluster do not belong here: their jobs' times and figures differ from run to
 * run, and so do the decisions. Their dispositions, which must not differ, are checked by the tests
 * that drive such nights.
 */
@Tag("slow")
class GoldenNightsTest {
  private static final Path RECORDS = Path.of("src/test/resources/golden");
  private static final String DECISIONS = "decisions.txt";
  private static final String TEXTS = "texts.txt";

  /** Nights with texts that are kept in full; for the others a hash is kept. */
  private static final Set<String> IN_FULL =
      Set.of(
          "quiet-1", "faulty-7", "drawn-3", "evidence-idle", "rough-12", "tuned-fsdp", "tuned-pp");

  private static final Map<String, List<Entry>> NIGHTS = new LinkedHashMap<>();

  @BeforeAll
  static void walk() throws Exception {
    for (Map.Entry<String, Callable<List<Entry>>> night : GoldenNights.all().entrySet()) {
      NIGHTS.put(night.getKey(), night.getValue().call());
    }
  }

  @Test
  void everyNightDecidesAsRecorded() throws IOException {
    assertThat(NIGHTS).hasSize(103);
    Map<String, List<String>> decided = new LinkedHashMap<>();
    NIGHTS.forEach((name, entries) -> decided.put(name, Decided.lines(entries)));
    compare(DECISIONS, decided);
  }

  @Test
  void everyNightReadsAsRecorded() throws IOException {
    Map<String, List<String>> texts = new LinkedHashMap<>();
    NIGHTS.forEach(
        (name, entries) -> texts.put(name, texts(name, SweepState.fold(entries), entries)));
    texts.put("tuned-fsdp", texts("tuned-fsdp", ReportTexts.fsdp(), List.of()));
    texts.put("tuned-pp", texts("tuned-pp", ReportTexts.pp(), List.of()));
    compare(TEXTS, texts);
  }

  private static List<String> texts(String night, SweepState s, List<Entry> entries) {
    Map<String, String> kinds = new LinkedHashMap<>();
    kinds.put("report", ReportTexts.english(s));
    kinds.put("patch", ReportTexts.patch(s));
    if (IN_FULL.contains(night)) {
      kinds.put("notices", NoticeTexts.of(entries));
    }
    List<String> lines = new ArrayList<>();
    kinds.forEach(
        (kind, text) -> {
          if (IN_FULL.contains(night)) {
            lines.add("-- " + kind);
            text.lines().forEach(line -> lines.add("| " + line));
          } else {
            lines.add(kind + " " + hash(text));
          }
        });
    return lines;
  }

  /** Compares each night under its name; a failure shows the first line that differs. */
  private static void compare(String record, Map<String, List<String>> found) throws IOException {
    if (Boolean.getBoolean("golden.record")) {
      StringBuilder all = new StringBuilder();
      found.forEach(
          (name, lines) -> {
            all.append("# ").append(name).append('\n');
            lines.forEach(line -> all.append(line).append('\n'));
          });
      Files.createDirectories(RECORDS);
      Files.writeString(RECORDS.resolve(record), all);
      return;
    }
    Map<String, List<String>> expected = read(record);
    assertThat(found.keySet()).containsExactlyElementsOf(expected.keySet());
    List<String> differing = new ArrayList<>();
    found.forEach(
        (name, lines) ->
            difference(name, expected.getOrDefault(name, List.of()), lines, differing));
    assertThat(differing)
        .as("%d of %d nights differ from golden/%s", differing.size(), found.size(), record)
        .isEmpty();
  }

  private static void difference(
      String night, List<String> expected, List<String> found, List<String> differing) {
    for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
      String was = i < expected.size() ? expected.get(i) : "the night's end";
      String is = i < found.size() ? found.get(i) : "the night's end";
      if (!was.equals(is)) {
        differing.add("night %s, line %d:%n  was %s%n  is  %s%n".formatted(night, i + 1, was, is));
        return;
      }
    }
  }

  private static Map<String, List<String>> read(String record) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(GoldenNightsTest.class.getResourceAsStream("/golden/" + record))) {
      Map<String, List<String>> nights = new LinkedHashMap<>();
      List<String> lines = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("# ")) {
          lines = new ArrayList<>();
          nights.put(line.substring(2), lines);
        } else {
          lines.add(line);
        }
      }
      return nights;
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
