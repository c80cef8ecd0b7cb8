package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.triage.NoisySamples;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.Watch;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Changes that must never alter a diagnosis, and input that must never break it. */
@Tag("slow")
class ScanProperties {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);

  /** A job without anything to complain about. */
  private static final Watch FINE =
      new Watch(
          Instant.EPOCH, Instant.EPOCH, Optional.empty(), 0, 0, true, true, OptionalDouble.empty());

  private static List<Sample> samples = List.of();
  private static Optional<PlaybookDiagnoser> diagnoser = Optional.empty();
  private static Path log = Path.of("unset");

  @BeforeContainer
  static void read() throws Exception {
    Playbooks packed = new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));
    samples =
        packed.samples("any").stream()
            .filter(s -> s.end().isPresent() && !s.log().isEmpty() && s.leastBytes() == 0)
            .toList();
    diagnoser =
        Optional.of(new PlaybookDiagnoser(packed.read("any").recognition(), Workloads::hearSteps));
    log = Files.createTempFile("nightsweep-scan", ".log");
  }

  @AfterContainer
  static void tidy() throws IOException {
    Files.deleteIfExists(log);
  }

  @Property(tries = 100)
  void howTheLogGrowsNeverChangesTheDiagnosis(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Sample sample = NoisySamples.of(sample(random), seed, 1 + random.nextInt(30));
    // Sometimes a line that is longer than any block.
    String text =
        random.nextInt(5) == 0
            ? "x".repeat(random.nextInt(200_000)) + "\n" + sample.log()
            : sample.log();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Diagnosis whole = diagnose(bytes, sample);

    Files.write(log, new byte[0]);
    JobLog grown = new JobLog(log);
    int at = 0;
    while (at < bytes.length) {
      int next = Math.min(bytes.length, at + 1 + random.nextInt(1 + random.nextInt(bytes.length)));
      Files.write(log, Arrays.copyOfRange(bytes, at, next), StandardOpenOption.APPEND);
      assertThat(diagnoser().look(ATTEMPT, grown, FINE)).isEmpty();
      at = next;
    }
    assertThat(end(grown, sample)).isEqualTo(whole);
  }

  @Property(tries = 100)
  void prefixesAndColoursNeverChangeTheDiagnosis(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Sample sample = sample(random);
    Diagnosis plain = diagnose(sample.log().getBytes(StandardCharsets.UTF_8), sample);
    // One prefix for the whole log: a prefix says which rank prints the line.
    int prefix = random.nextInt(3);
    String dressed =
        sample
            .log()
            .lines()
            .map(l -> dressed(l, prefix, random) + "\n")
            .collect(Collectors.joining());
    Diagnosis found = diagnose(dressed.getBytes(StandardCharsets.UTF_8), sample);
    assertThat(found.failureClass()).isEqualTo(plain.failureClass());
    assertThat(found.confidence()).isEqualTo(plain.confidence());
    assertThat(found.quotes().stream().map(Diagnosis.Quote::line))
        .isEqualTo(plain.quotes().stream().map(Diagnosis.Quote::line).toList());
  }

  @Property(tries = 100)
  void noDamageBreaksIt(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Sample sample = NoisySamples.of(sample(random), seed, 3);
    byte[] bytes = sample.log().getBytes(StandardCharsets.UTF_8);
    byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    for (int i = random.nextInt(20); i > 0 && cut.length > 0; i--) {
      cut[random.nextInt(cut.length)] = (byte) random.nextInt();
    }
    Diagnosis diagnosis = diagnose(cut, sample);
    assertThat(diagnosis.failureClass()).isNotEmpty();
    assertThat(diagnosis.quotes())
        .allSatisfy(
            q -> {
              assertThat(q.line()).isPositive();
              assertThat(q.text()).hasSizeLessThan(400);
              assertThat(q.text().codePoints().noneMatch(Character::isISOControl)).isTrue();
            });
  }

  private static String dressed(String line, int prefix, Random random) {
    String bare = line.replaceFirst("^\\d+: ", "");
    boolean hadRank = !bare.equals(line);
    String coloured = bare;
    if (!bare.isEmpty() && random.nextBoolean()) {
      int at = random.nextInt(bare.length());
      coloured = bare.substring(0, at) + "\u001b[1;31m" + bare.substring(at) + "\u001b[0m";
    }
    // A line's rank determines its host, so the line keeps its rank.
    String rank = hadRank ? "  " + line.substring(0, line.indexOf(' ') + 1) : "";
    return switch (prefix) {
      case 0 -> rank + coloured;
      case 1 -> rank + "\u001b[36m(MaxTextTrainerActor pid=12, ip=10.1.2.3)\u001b[0m " + coloured;
      default -> rank + "(raylet) " + coloured;
    };
  }

  private static Sample sample(Random random) {
    return samples.get(random.nextInt(samples.size()));
  }

  private static Diagnosis diagnose(byte[] bytes, Sample sample) {
    try {
      Files.write(log, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return end(new JobLog(log), sample);
  }

  private static Diagnosis end(JobLog job, Sample sample) {
    JobEnd end = sample.end().orElseThrow();
    return diagnoser()
        .diagnose(ATTEMPT, end, job, sample.step(), sample.stepsTotal(), Optional.empty());
  }

  private static PlaybookDiagnoser diagnoser() {
    return diagnoser.orElseThrow();
  }
}
