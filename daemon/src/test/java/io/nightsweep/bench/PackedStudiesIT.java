package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Resources;
import io.nightsweep.plan.Study;
import io.nightsweep.plan.StudyFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packed study can be read, and the program knows each of its cases. */
@Tag("kernels")
class PackedStudiesIT {
  private static final Resources PACKED = Resources.below(Path.of("nowhere"));

  private static final Duration NIGHT = Duration.ofHours(10);

  static Collection<String> studies() {
    return PACKED.names(Resources.Kind.STUDY);
  }

  @ParameterizedTest
  @MethodSource("studies")
  void aStudyExpands(String name) throws Exception {
    Study study = StudyFile.load(name, PACKED);
    Matrix matrix =
        Matrix.of(
            study, new Capabilities(LocalStudies.PROGRAM, 1), EarlierTimes.of(Path.of("nowhere")));
    assertThat(study.about()).isNotBlank();
    assertThat(matrix.runnable()).isPositive();
    assertThat(study.groups()).anyMatch(Study.Group::required);
    assertThat(matrix.shards())
        .allSatisfy(s -> assertThat(s.id()).matches("[A-Za-z0-9-]+"))
        .extracting(Shard::id)
        .doesNotHaveDuplicates();
    // On the reference machine a study takes at most one night, and each job and case has twice its
    // projected time.
    assertThat(matrix.seconds()).isLessThan(seconds(NIGHT));
    assertThat(matrix.shards())
        .allSatisfy(s -> assertThat(2 * s.seconds(study)).isLessThan(seconds(study.timeLimit())));
    assertThat(matrix.shards().stream().flatMap(s -> s.runnable().stream()))
        .allSatisfy(
            c ->
                assertThat(2 * c.seconds(study.sampling()))
                    .as(CaseWords.of(c.identity()))
                    .isLessThan(seconds(study.caseLimit())));
    assertThat(new MatrixText(matrix).warnings()).isEmpty();
  }

  @Test
  void aStudyThatCannotEndInItsLimitsIsWarnedOf() throws Exception {
    Study study = StudyFile.load("ep", PACKED).sampledAs(new Study.Sampling(8, 2048, 256));
    MatrixText expansion =
        new MatrixText(
            Matrix.of(
                study,
                new Capabilities(LocalStudies.PROGRAM, 1),
                EarlierTimes.of(Path.of("nowhere"))));
    assertThat(expansion.warnings())
        .anyMatch(
            w ->
                w.matches(
                    "cpu-mpi-.* is projected at .*, beyond its job's timeLimit of 4 h 00 min"))
        .anyMatch(
            w -> w.matches("case .* is projected at .*, beyond the caseLimit of 30 min 00 s"));
    assertThat(expansion.brief()).anyMatch(l -> l.startsWith("warning: "));
  }

  /**
   * Eight times the samples of the packed study take more jobs, each of which stays within its
   * limit.
   */
  @Test
  void aShardOfMoreHoursThanItsJobHasIsSplitByTime() throws Exception {
    Study packed = StudyFile.load("ep", PACKED);
    Study study = packed.sampledAs(new Study.Sampling(8, 512, 32));
    Matrix matrix = matrix(study);
    double room = seconds(study.timeLimit()) / 2;
    Map<ShardKey, List<Shard>> parts =
        matrix.shards().stream().collect(Collectors.groupingBy(Shard::key));
    assertThat(parts.values()).anyMatch(p -> p.size() > 2);
    for (List<Shard> some : parts.values()) {
      if (some.size() == 1) {
        assertThat(some.getFirst().part()).isZero();
        continue;
      }
      for (int i = 0; i < some.size(); i++) {
        Shard part = some.get(i);
        assertThat(part.id()).endsWith("-p" + (i + 1));
        assertThat(part.cases().size() == 1 || part.seconds(study) <= room).isTrue();
        if (i > 0) {
          List<PlannedCase> more = new ArrayList<>(some.get(i - 1).cases());
          more.add(part.cases().getFirst());
          assertThat(part.holding(0, more).seconds(study)).as("no job is idle").isGreaterThan(room);
        }
      }
    }
    assertThat(cases(matrix)).as("none is lost").isEqualTo(cases(matrix(packed)));

    List<String> lines = new MatrixText(matrix).brief();
    assertThat(lines.get(1))
        .matches(
            "projected: \\d+ h \\d\\d min in " + jobs(matrix) + " jobs of at most 4 h 00 min .*");
    for (Shard shard : matrix.shards()) {
      assertThat(lines)
          .contains(
              "  %s: %d of %d, %s"
                  .formatted(
                      shard.id(),
                      shard.runnable().size(),
                      shard.cases().size(),
                      MatrixText.time(shard.seconds(study))));
    }
  }

  private static long jobs(Matrix matrix) {
    return matrix.shards().stream().filter(s -> !s.runnable().isEmpty()).count();
  }

  private static Matrix matrix(Study study) throws Exception {
    return Matrix.of(
        study, new Capabilities(LocalStudies.PROGRAM, 1), EarlierTimes.of(Path.of("nowhere")));
  }

  /** The cases in order, whatever their numbers of samples. */
  private static List<String> cases(Matrix matrix) {
    return matrix.shards().stream()
        .flatMap(
            s ->
                s.cases().stream()
                    .map(c -> s.key().id() + " " + c.identity().deepCopy().without("sampling")))
        .toList();
  }

  @Test
  void theSevenStudiesShip() {
    assertThat(studies()).contains("gemm", "allreduce", "ep", "tp", "fair", "pairs", "gpu");
  }

  /** The cost of a ring as its source states it: 2(n-1) messages of 1/n of the state. */
  @Test
  void theReferenceIsVersionedAndSaysWhereItIsFrom() throws Exception {
    Study.Reference reference = StudyFile.load("allreduce", PACKED).reference().orElseThrow();
    assertThat(reference.version()).isPositive();
    assertThat(reference.source()).contains("Thakur");
    assertThat(reference.costs())
        .filteredOn(c -> c.topology().equals("ring_1d"))
        .singleElement()
        .satisfies(
            c -> {
              assertThat(c.messages()).isEqualTo(2.0 * (c.ranks() - 1));
              assertThat(c.share()).isCloseTo(c.messages() / c.ranks(), within(1e-4));
              assertThat(EstimatedTime.of(c, 6e6, 1e-6, 1e9).seconds())
                  .isCloseTo(10e-6 + 10e6 / 1e9, within(1e-5));
            });
  }

  /** Times from DeepEP's documentation are compared only with the same case and part. */
  @Test
  void publishedTimesAreOfTheCaseThatTheyNameAlone() throws Exception {
    Study study = StudyFile.load("ep", PACKED);
    Study.Reference reference = study.reference().orElseThrow();
    assertThat(reference.source()).contains("DeepEP").contains("0297fc8");
    Matrix matrix =
        Matrix.of(
            study, new Capabilities(LocalStudies.PROGRAM, 1), EarlierTimes.of(Path.of("nowhere")));
    List<String> told =
        matrix.shards().stream()
            .flatMap(s -> s.cases().stream())
            .flatMap(
                c ->
                    reference.times().stream()
                        .filter(t -> t.isOf(c.identity()))
                        .map(t -> t.component() + " " + t.seconds()))
            .toList();
    assertThat(told).containsExactlyInAnyOrder("dispatch 7.7E-5", "combine 1.14E-4");
  }

  private static Offset<Double> within(double offset) {
    return Offset.offset(offset);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }
}
