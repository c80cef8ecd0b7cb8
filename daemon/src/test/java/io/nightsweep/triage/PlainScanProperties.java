package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.LogListener;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.Rank;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.Recognition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** The scan in blocks finds the same lines as every pattern on every line. */
@Tag("slow")
class PlainScanProperties {
  /** Bytes that are scanned at a time. */
  private static final int BLOCK = 1 << 16;

  private final List<String> lines = new ArrayList<>();
  private final Map<String, Set<Integer>> matches = new HashMap<>();
  private final Rules rules;
  private final List<Pattern> benign;

  PlainScanProperties() throws Exception {
    Playbooks packed = new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));
    Recognition recognition = packed.read("any").recognition();
    rules = new Rules(recognition);
    benign = recognition.benign().stream().map(Pattern::compile).toList();
    NoiseLines noise = new NoiseLines(11, true);
    Stream.concat(
            packed.samples("any").stream().flatMap(s -> s.log().lines()),
            Stream.generate(noise::next).limit(400))
        // Another property tests colours.
        .filter(l -> l.indexOf('\u001b') < 0 && l.length() < 1000)
        .forEach(lines::add);
  }

  @Property(tries = 10)
  void blocksFindWhatLinesDo(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<String> log = new ArrayList<>();
    for (int bytes = random.nextInt(4 * BLOCK); bytes > 0; ) {
      // Sometimes one that nearly fills a block, so that others are cut at its end.
      String line =
          random.nextInt(60) == 0
              ? "x".repeat(random.nextInt(BLOCK))
              : lines.get(random.nextInt(lines.size()));
      log.add(line);
      bytes -= line.length() + 1;
    }
    TreeMap<Integer, List<Long>> expected = new TreeMap<>();
    for (int i = 0; i < log.size(); i++) {
      for (int id : matches.computeIfAbsent(log.get(i), this::evidence)) {
        expected.computeIfAbsent(id, k -> new ArrayList<>()).add(i + 1L);
      }
    }
    Path file = Files.createTempFile("nightsweep-plain", ".log");
    try {
      Files.writeString(file, String.join("\n", log) + "\n");
      JobLog job = new JobLog(file);
      TreeMap<Integer, List<Long>> found = new TreeMap<>();
      job.listener(Collector.class, () -> new Collector(found));
      job.finish();
      assertThat(found).isEqualTo(expected);
    } finally {
      Files.delete(file);
    }
  }

  private final class Collector implements LogListener {
    private final Map<Integer, List<Long>> found;

    Collector(Map<Integer, List<Long>> found) {
      this.found = found;
    }

    @Override
    public PatternSet patterns() {
      return rules.patterns(new BitSet());
    }

    @Override
    public void line(Line line, int[] candidates) {
      Set<Integer> held = matches.computeIfAbsent(line.text(), PlainScanProperties.this::evidence);
      IntStream.of(candidates)
          .filter(held::contains)
          .forEach(id -> found.computeIfAbsent(id, k -> new ArrayList<>()).add(line.number()));
    }
  }

  private Set<Integer> evidence(String raw) {
    String body = Line.of(Path.of("any"), Rank.NONE, 1, 1, 1, raw).body();
    Set<Integer> ids = new TreeSet<>();
    if (benign.stream().noneMatch(b -> b.matcher(body).find())) {
      IntStream.range(0, rules.expressions().size())
          .filter(id -> rules.isEvidence(id) && !rules.isOfDeaths(id))
          .filter(id -> rules.pattern(id).matcher(body).find())
          .forEach(ids::add);
    }
    return ids;
  }
}
