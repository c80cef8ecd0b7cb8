package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.joblog.Rank;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Signature;
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
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
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
 * Changes that never affect a failure's class, nor the line quoted first for it, on the samples and
 * the public threads: the interleaving of ranks, the division into files, and healthy lines. If no
 * line shows the failure, the last lines are quoted, which all of these changes affect; and if
 * several ranks show it, the interleaving decides whose line comes first.
 */
@Tag("joblog")
@Tag("slow")
class JobLogProperties {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);
  private static final Pattern LABEL = Pattern.compile(" {0,12}(\\d{1,7}): (.*)");

  private static final Pattern OF_RANK = Pattern.compile("^ {0,12}\\d{1,7}: ");

  /** What other ranks print about a failure that is not theirs. */
  private static final List<String> ECHOES =
      List.of(
          "E0601 03:13:22.100000 141 coordination_service_agent.cc:712] Polled an error: the task stopped sending heartbeats",
          "The tasks have crashed. Check the task logs for an earlier error",
          "F0601 03:13:23.100000 141 client.h:80] Terminating process because the coordinator detected missing heartbeats");

  private static final double SHARE = 0.08;

  /** For these no line is reported as the cause. */
  private static final Set<String> NO_FAILURE =
      Set.of(KnownClasses.SUCCESS, KnownClasses.SOFT_SUCCESS, KnownClasses.NO_FAILURE_FOUND);

  /** This many ranks' lines are put first in turn. */
  private static final int MOST_PIECES = 6;

  private static final List<Sample> SAMPLES;
  private static final Recognition RECOGNITION;
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
      RECOGNITION = packed.read("any").recognition();
      DIAGNOSER = new PlaybookDiagnoser(RECOGNITION, Workloads::hearSteps);
      UNTOLD = packed.threads().stream().filter(ThreadSample::isUntold).toList();
      ALONE = new LogTriage(RECOGNITION, Workloads::hearSteps);
    } catch (Exception e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Path folder = Path.of("unset");

  /**
   * @param root the line quoted first, without its rank's label; empty if nothing is quoted
   * @param isWeak whether the quote is an echo, or the supposed begin of a failure without a name
   * @param isOfTheEnd whether no line shows the failure, and the quoted one is near the end
   */
  private record Found(String failureClass, String root, boolean isWeak, boolean isOfTheEnd) {
    /** Asserts the same class, by the same line. */
    void isThatOf(Found other, Sample sample) {
      assertThat(failureClass).as(sample.about()).isEqualTo(other.failureClass());
      if (!isOfTheEnd && !other.isOfTheEnd()) {
        assertThat(root).as(sample.about()).isEqualTo(other.root());
      }
    }
  }

  private interface Check {
    void of(Sample sample, Random random) throws IOException;
  }

  /**
   * An ordinary run draws this share of the samples anew each time; a nightly run takes all of
   * them.
   */
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
    // First each rank's lines as one piece, with each rank once before all others.
    List<Found> pieces = new ArrayList<>();
    for (int rank : streams.keySet().stream().limit(MOST_PIECES).toList()) {
      pieces.add(found(inPieces(streams, rank), sample));
    }
    for (Found piece : pieces) {
      assertThat(piece.failureClass())
          .as(sample.about())
          .isEqualTo(pieces.getFirst().failureClass());
    }
    for (int i = 0; i < 2; i++) {
      Found mixed = found(shuffled(streams, random, true), sample);
      assertThat(mixed.failureClass())
          .as(sample.about())
          .isEqualTo(pieces.getFirst().failureClass());
      if (!mixed.isOfTheEnd() && streams.size() <= MOST_PIECES) {
        assertThat(pieces.stream().map(Found::root)).as(sample.about()).contains(mixed.root());
      }
    }
  }

  @Property(tries = 1)
  void filesOfEachRankSayWhatOneFileOfAllSays(@ForAll long seed) throws IOException {
    ofSamples(seed, SHARE, this::inFilesOfRanks);
  }

  private void inFilesOfRanks(Sample sample, Random random) throws IOException {
    Map<Integer, List<String>> streams = streams(sample, random);
    // Files are read one after the other.
    Found inOne = found(inPieces(streams, streams.keySet().iterator().next()), sample);
    assertThat(found(shuffled(streams, random, true), sample).failureClass())
        .as(sample.about())
        .isEqualTo(inOne.failureClass());
    List<LogFile> files = new ArrayList<>();
    for (var stream : streams.entrySet()) {
      Path file = folder.resolve("rank" + stream.getKey());
      Files.writeString(file, text(stream.getValue()));
      files.add(new LogFile(file, new Rank(stream.getKey(), "")));
    }
    found(new JobLog(() -> files), sample).isThatOf(inOne, sample);
  }

  @Property(tries = 1)
  void rotationCompressionAndGrowthNeverChangeTheClass(@ForAll long seed) throws IOException {
    ofSamples(seed, SHARE, this::rotated);
  }

  private void rotated(Sample sample, Random random) throws IOException {
    List<String> lines = shuffled(streams(sample, random), random, true);
    Found whole = found(lines, sample);
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
    found(job, sample).isThatOf(whole, sample);
  }

  @Property(tries = 1)
  void healthyLinesNeverChangeTheClass(@ForAll long seed) throws IOException {
    ofSamples(seed, SHARE, this::amongHealthyLines);
  }

  private void amongHealthyLines(Sample sample, Random random) throws IOException {
    Map<Integer, List<String>> streams = streams(sample, random);
    List<String> lines = shuffled(streams, random, true);
    Found bare = found(lines, sample);
    NoiseLines noise = new NoiseLines(random.nextLong(), true);
    Set<String> added = new HashSet<>();
    List<String> more = new ArrayList<>();
    for (String line : lines) {
      more.add(line);
      for (int i = random.nextInt(10); i > 0; i--) {
        String next = noise.next();
        more.add(next);
        added.add(unlabelled(next.replaceAll("\u001b\\[\\d+m", "")));
      }
    }
    Found among = found(more, sample);
    // If the cluster or an echo shows the failure, and for a failure without a name that no rank
    // reports as its cause of death, the first line that looks like an error is quoted first: it
    // may be a healthy one.
    if (added.contains(among.root())) {
      assertThat(among.failureClass()).as(sample.about()).isEqualTo(bare.failureClass());
      assertThat(bare.isOfTheEnd() || bare.isWeak())
          .as("%s: %s became %s", sample.about(), bare, among)
          .isTrue();
    } else {
      among.isThatOf(bare, sample);
    }
  }

  /**
   * If it is unknown how the job ended, an error that is not among its rank's last words counts as
   * survived: the rank's own later lines show that it went on. Other ranks' lines do not.
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
      Found bare = foundAlone(file, lines);
      List<String> more = new ArrayList<>();
      for (String line : lines) {
        more.add(line);
        if (random.nextInt(3) == 0) {
          more.add("9001: I0601 03:12:22.100000 140 pjrt_client.cc:12] buffer donated");
        }
      }
      Found among = foundAlone(file, more);
      boolean isOfTheEnd = bare.isOfTheEnd() || among.isOfTheEnd();
      if (!among.failureClass().equals(bare.failureClass())
          || (!isOfTheEnd && !among.root().equals(bare.root()))) {
        changed.add(thread.source() + ": " + bare + " became " + among);
      }
    }
    Files.delete(file);
    assertThat(changed).isEmpty();
  }

  private static Found foundAlone(Path file, List<String> lines) throws IOException {
    Files.writeString(file, text(lines));
    Diagnosis d = ALONE.ended(file, Optional.empty(), OptionalInt.empty(), 15);
    List<String> last = lines.subList(Math.max(0, lines.size() - 3), lines.size());
    boolean isOfTheEnd =
        !isToldByALine(d)
            || (d.failureClass().equals(KnownClasses.UNCLASSIFIED)
                && d.quotes().stream().limit(1).allMatch(q -> last.contains(q.text())));
    return new Found(d.failureClass(), root(d), isWeak(d), isOfTheEnd);
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

  /** Each rank's lines by its number; -1 has the lines without a rank. Some ranks echo. */
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

  /** Each rank's lines as one piece, the given rank's first. */
  private static List<String> inPieces(Map<Integer, List<String>> streams, int first) {
    List<String> all = new ArrayList<>(labelled(first, streams.getOrDefault(first, List.of())));
    streams.forEach(
        (rank, lines) -> {
          if (rank != first) {
            all.addAll(labelled(rank, lines));
          }
        });
    return all;
  }

  private static List<String> labelled(int rank, List<String> lines) {
    return lines.stream().map(line -> rank < 0 ? line : rank + ": " + line).toList();
  }

  private Found found(List<String> lines, Sample sample) throws IOException {
    Path file = folder.resolve("whole.log");
    Files.writeString(file, text(lines));
    return found(new JobLog(file), sample);
  }

  private static Found found(JobLog job, Sample sample) {
    Diagnosis d =
        DIAGNOSER.diagnose(
            ATTEMPT,
            sample.end().orElseThrow(),
            job,
            sample.step(),
            sample.stepsTotal(),
            Optional.empty());
    boolean isOfTheEnd =
        !isToldByALine(d)
            || (d.failureClass().equals(KnownClasses.UNCLASSIFIED)
                && job.tail().containsAll(d.quotes()));
    return new Found(d.failureClass(), root(d), isWeak(d), isOfTheEnd);
  }

  /** If only the cluster shows the failure, the quoted line may not be its cause. */
  private static boolean isToldByALine(Diagnosis d) {
    return !NO_FAILURE.contains(d.failureClass())
        && Phrases.EN.text(d.detail()).contains(" says '");
  }

  private static boolean isWeak(Diagnosis d) {
    Recognition.Errors errors = RECOGNITION.errors();
    List<String> echoes =
        RECOGNITION.classes().stream()
            .filter(c -> c.id().equals(d.failureClass()))
            .flatMap(c -> c.signatures().stream())
            .filter(Signature::echo)
            .flatMap(signature -> signature.clues().stream())
            .filter(Clue.Line.class::isInstance)
            .map(clue -> ((Clue.Line) clue).pattern())
            .toList();
    return d.failureClass().equals(KnownClasses.UNCLASSIFIED)
        ? !isAnyIn(root(d), Stream.concat(errors.fatal().stream(), errors.raised().stream()))
        : d.quotes().stream().anyMatch(quote -> isAnyIn(quote.text(), echoes.stream()));
  }

  private static boolean isAnyIn(String line, Stream<String> patterns) {
    return patterns.anyMatch(p -> com.google.re2j.Pattern.compile(p).matcher(line).find());
  }

  private static String root(Diagnosis d) {
    return d.quotes().stream()
        .findFirst()
        .map(Diagnosis.Quote::text)
        .map(JobLogProperties::unlabelled)
        .orElse("");
  }

  private static String unlabelled(String line) {
    return OF_RANK.matcher(line).replaceFirst("");
  }
}
