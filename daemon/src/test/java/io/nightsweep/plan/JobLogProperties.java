package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.triage.LogTriage;
import io.nightsweep.triage.NoiseLines;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.ThreadSample;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/**
 * What never changes a failure's class, of the samples and the public threads: how ranks
 * interleave, how files are cut, healthy lines.
 */
@Tag("joblog")
@Tag("slow")
class JobLogProperties {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);
  private static final Pattern LABEL = Pattern.compile(" {0,12}(\\d{1,7}): (.*)");

  /** What other ranks say of a failure that is not theirs. */
  private static final List<String> ECHOES =
      List.of(
          "E0601 03:13:22.100000 141 coordination_service_agent.cc:712] Polled an error: the task stopped sending heartbeats",
          "The tasks have crashed. Check the task logs for an earlier error",
          "F0601 03:13:23.100000 141 client.h:80] Terminating process because the coordinator detected missing heartbeats");

  private static final double SHARE = 0.3;

  private static final List<Sample> SAMPLES;
  private static final PlaybookDiagnoser DIAGNOSER;
  private static final List<ThreadSample> UNTOLD;
  private static final LogTriage ALONE;

  static {
    try {
      Playbooks packed = new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));
      SAMPLES =
          Stream.concat(
                  packed.samples("any").stream(),
                  packed.threads().stream().map(ThreadSample::sample))
              .filter(s -> s.end().isPresent() && !s.log().isEmpty() && s.leastBytes() == 0)
              .toList();
      DIAGNOSER = new PlaybookDiagnoser(packed.read("any").recognition(), Workloads::hearSteps);
      UNTOLD = packed.threads().stream().filter(ThreadSample::isUntold).toList();
      ALONE = new LogTriage(packed.read("any").recognition(), Workloads::hearSteps);
    } catch (Exception e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Path folder = Path.of("unset");

  private interface Check {
    void of(Sample sample, Random random) throws IOException;
  }

  /** The ordinary run draws so many of the samples anew each time; a night takes them all. */
  private void ofSamples(long seed, double share, Check check) throws IOException {
    Random random = new Random(seed);
    for (Sample sample : drawn(SAMPLES, share, random)) {
      folder = Files.createTempDirectory("nightsweep-joblog");
      check.of(sample, random);
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  private static <T> List<T> drawn(List<T> all, double share, Random random) {
    return all.stream().filter(sample -> random.nextDouble() < share).toList();
  }

  @Property(tries = 1)
  @Tag("night")
  void allOfThisHoldsOfEverySample(@ForAll long seed) throws IOException {
    for (Check check :
        List.<Check>of(
            this::interleaved, this::inFilesOfRanks, this::rotated, this::amongHealthyLines)) {
      ofSamples(seed, 1, check);
    }
    amongHealthyLinesOfOthers(seed, 1);
  }

  @Property(tries = 1)
  void howRanksInterleaveNeverChangesTheClass(@ForAll long seed) throws IOException {
    ofSamples(seed, SHARE, this::interleaved);
  }

  private void interleaved(Sample sample, Random random) throws IOException {
    Map<Integer, List<String>> streams = streams(sample, random);
    // At first each rank's lines as one piece.
    String first = classOf(shuffled(streams, new Random(random.nextLong()), false), sample);
    assertThat(classOf(shuffled(streams, random, true), sample))
        .as(sample.about())
        .isEqualTo(first);
    assertThat(classOf(shuffled(streams, random, true), sample))
        .as(sample.about())
        .isEqualTo(first);
  }

  @Property(tries = 1)
  void filesOfEachRankSayWhatOneFileOfAllSays(@ForAll long seed) throws IOException {
    ofSamples(seed, SHARE, this::inFilesOfRanks);
  }

  private void inFilesOfRanks(Sample sample, Random random) throws IOException {
    Map<Integer, List<String>> streams = streams(sample, random);
    String inOne = classOf(shuffled(streams, random, true), sample);
    List<LogFile> files = new ArrayList<>();
    for (var stream : streams.entrySet()) {
      Path file = folder.resolve("rank" + stream.getKey());
      Files.writeString(file, text(stream.getValue()));
      files.add(new LogFile(file, new Rank(stream.getKey(), "")));
    }
    assertThat(classOf(new JobLog(() -> files), sample)).as(sample.about()).isEqualTo(inOne);
  }

  @Property(tries = 1)
  void rotationCompressionAndGrowthNeverChangeTheClass(@ForAll long seed) throws IOException {
    ofSamples(seed, SHARE, this::rotated);
  }

  private void rotated(Sample sample, Random random) throws IOException {
    List<String> lines = shuffled(streams(sample, random), random, true);
    String whole = classOf(lines, sample);
    Path log = folder.resolve("job.log");
    JobLog job = new JobLog(log);
    DIAGNOSER.attend(job);
    boolean isFollowed = random.nextBoolean();
    int rotated = 0;
    List<String> part = new ArrayList<>();
    for (String line : lines) {
      part.add(line);
      if (random.nextInt(20) == 0 && rotated < 3) {
        Files.writeString(log, text(part));
        if (isFollowed) {
          job.look();
        }
        rotate(log, rotated++, !isFollowed && random.nextBoolean());
        part.clear();
      }
    }
    Files.writeString(log, text(part));
    assertThat(classOf(job, sample)).as(sample.about()).isEqualTo(whole);
  }

  @Property(tries = 1)
  void healthyLinesNeverChangeTheClass(@ForAll long seed) throws IOException {
    ofSamples(seed, SHARE, this::amongHealthyLines);
  }

  private void amongHealthyLines(Sample sample, Random random) throws IOException {
    Map<Integer, List<String>> streams = streams(sample, random);
    String bare = classOf(shuffled(streams, random, true), sample);
    NoiseLines noise = new NoiseLines(random.nextLong(), true);
    List<String> more = new ArrayList<>();
    for (String line : shuffled(streams, random, true)) {
      more.add(line);
      for (int i = random.nextInt(10); i > 0; i--) {
        more.add(noise.next());
      }
    }
    assertThat(classOf(more, sample)).as(sample.about()).isEqualTo(bare);
  }

  /**
   * Where nobody said how the job ended, an error that is none of its rank's last words counts as
   * survived: what the same rank prints behind it is a sign that it went on. What others print is
   * none.
   */
  @Property(tries = 1)
  void healthyLinesOfOtherRanksNeverChangeWhatALogAloneTells(@ForAll long seed) throws IOException {
    amongHealthyLinesOfOthers(seed, SHARE);
  }

  private static void amongHealthyLinesOfOthers(long seed, double share) throws IOException {
    Random random = new Random(seed);
    Path file = Files.createTempFile("nightsweep-joblog", ".log");
    List<String> changed = new ArrayList<>();
    for (ThreadSample thread : drawn(UNTOLD, share, random)) {
      List<String> lines = thread.sample().log().lines().toList();
      String bare = classAlone(file, lines);
      List<String> more = new ArrayList<>();
      for (String line : lines) {
        more.add(line);
        if (random.nextInt(3) == 0) {
          more.add("9001: I0601 03:12:22.100000 140 pjrt_client.cc:12] buffer donated");
        }
      }
      if (!classAlone(file, more).equals(bare)) {
        changed.add(thread.source());
      }
    }
    Files.delete(file);
    assertThat(changed).isEmpty();
  }

  private static String classAlone(Path file, List<String> lines) throws IOException {
    Files.writeString(file, text(lines));
    return ALONE.ended(file, Optional.empty(), OptionalInt.empty(), 15).failureClass();
  }

  /** {@code log.1} is the newest. */
  private static void rotate(Path log, int already, boolean isCompressed) throws IOException {
    for (int i = already; i > 0; i--) {
      for (String ending : List.of("", ".gz")) {
        Path old = log.resolveSibling("job.log." + i + ending);
        if (Files.exists(old)) {
          Files.move(old, log.resolveSibling("job.log." + (i + 1) + ending));
        }
      }
    }
    if (isCompressed) {
      try (OutputStream out =
          new GZIPOutputStream(Files.newOutputStream(log.resolveSibling("job.log.1.gz")))) {
        Files.copy(log, out);
      }
      Files.delete(log);
    } else {
      Files.move(log, log.resolveSibling("job.log.1"));
    }
  }

  /** Each rank's lines by its number; -1 has those of nobody. Now and then ranks that echo. */
  private static Map<Integer, List<String>> streams(Sample sample, Random random) {
    TreeMap<Integer, List<String>> streams = new TreeMap<>();
    for (String line : sample.log().lines().toList()) {
      Matcher m = LABEL.matcher(line);
      boolean isLabelled = m.matches();
      streams
          .computeIfAbsent(isLabelled ? Integer.parseInt(m.group(1)) : -1, r -> new ArrayList<>())
          .add(isLabelled ? m.group(2) : line);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      NoiseLines noise = new NoiseLines(random.nextLong(), false);
      List<String> other = new ArrayList<>();
      for (int n = random.nextInt(20); n > 0; n--) {
        other.add(noise.next().replaceFirst("^ *\\d+: ", ""));
      }
      if (random.nextBoolean()) {
        other.addAll(ECHOES);
      }
      streams.put(9000 + i, other);
    }
    return streams;
  }

  private static List<String> shuffled(
      Map<Integer, List<String>> streams, Random random, boolean isMixed) {
    List<Integer> left = new ArrayList<>();
    streams.forEach((rank, lines) -> lines.forEach(l -> left.add(rank)));
    if (isMixed) {
      Collections.shuffle(left, random);
    }
    Map<Integer, Iterator<String>> next = new TreeMap<>();
    streams.forEach((rank, lines) -> next.put(rank, lines.iterator()));
    List<String> all = new ArrayList<>();
    for (int rank : left) {
      String line = Objects.requireNonNull(next.get(rank)).next();
      all.add(rank < 0 ? line : rank + ": " + line);
    }
    return all;
  }

  private static String text(List<String> lines) {
    return lines.stream().map(l -> l + "\n").collect(Collectors.joining());
  }

  private String classOf(List<String> lines, Sample sample) throws IOException {
    Path file = folder.resolve("whole.log");
    Files.writeString(file, text(lines));
    return classOf(new JobLog(file), sample);
  }

  private static String classOf(JobLog job, Sample sample) {
    return DIAGNOSER
        .diagnose(
            ATTEMPT,
            sample.end().orElseThrow(),
            job,
            sample.step(),
            sample.stepsTotal(),
            Optional.empty())
        .failureClass();
  }
}
