package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.plan.Resources;
import io.nightsweep.plan.Study;
import io.nightsweep.plan.StudyFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bundle's job times, as the next projection of its study uses them. */
@Tag("kernels")
class EarlierTimesTest {
  private static final Study.Sampling SAMPLING = new Study.Sampling(2, 3, 2);

  private final MeasuredRows measured = new MeasuredRows();

  @TempDir Path folder;

  @Test
  void aJobThatIsTheSameTakesWhatItTook() throws Exception {
    // Four starts of the program: alternately 1 s and 3 s for the case, out of 20 s for the job.
    List<CaseRow> rows =
        List.of(
            measured.row(1, 1, SAMPLING),
            measured.row(2, 3, SAMPLING),
            measured.row(3, 1, SAMPLING),
            measured.row(4, 3, SAMPLING));
    JobTime took = JobTime.of(measured.shard, 1, 60, 20, 4, rows);
    assertThat(took.cases()).isEqualTo(1);
    assertThat(took.startSeconds()).hasValue(3);
    publish("one", rows, took);

    EarlierTimes earlier = EarlierTimes.of(folder);
    Shard again =
        new Shard(
            MeasuredRows.KEY,
            0,
            List.of(at(projection(earlier))),
            earlier.startSeconds(MeasuredRows.KEY));
    Study study = study();
    assertThat(again.seconds(study)).isCloseTo(20, within(0.01));
    // A shard that never ran is projected to start as fast as its neighbours.
    assertThat(earlier.startSeconds(new ShardKey("cpu", "mpi", 4, 4, "allreduce"))).isEqualTo(3);
  }

  @Test
  void aStartIsNotKnownWhereACaseDoesNotTellItsTime() throws Exception {
    CaseRow lost = measured.lost(2);
    JobTime took =
        JobTime.of(measured.shard, 1, 60, 20, 2, List.of(measured.row(1, 1, SAMPLING), lost));
    assertThat(took.startSeconds()).isEmpty();
    publish("one", List.of(measured.row(1, 1, SAMPLING), lost), took);
    assertThat(EarlierTimes.of(folder).startSeconds(MeasuredRows.KEY)).isEqualTo(3);
  }

  @Test
  void aJobThatWasTriedAgainWasProjectedOnce() {
    JobTime lost = JobTime.of(measured.shard, 1, 60, 4, 1, List.of(measured.lost(1)));
    JobTime again = JobTime.of(measured.shard, 2, 60, 20, 1, List.of(measured.row(1, 1, SAMPLING)));
    assertThat(JobTime.projected(List.of(lost, again))).isEqualTo(60);
    assertThat(JobTime.took(List.of(lost, again))).isEqualTo(24);
  }

  @Test
  void aJobTellsItsTimeByItsOwnClock() {
    assertThat(ShardJob.seconds("1700000000.250000 1700000003.750001")).hasValue(3.500001);
    assertThat(ShardJob.seconds("1700000000,250000 1700000000,250000")).hasValue(0);
    for (String spoilt :
        List.of("", "1700000000.250000 ", "1700000003.750000 1700000000.250000", "1 2", "a b")) {
      assertThat(ShardJob.seconds(spoilt)).as(spoilt).isEmpty();
    }
  }

  private CaseProjection projection(EarlierTimes earlier) {
    return earlier
        .of(
            List.of(2),
            List.of(
                new Capabilities.CaseCapability(
                    "a", measured.identity, Optional.empty(), measured.planned.projection())))
        .getFirst();
  }

  private PlannedCase at(CaseProjection projection) {
    return new PlannedCase("a", List.of(), false, measured.identity, Optional.empty(), projection);
  }

  private Study study() throws Exception {
    Files.writeString(
        folder.resolve("study.yaml"),
        """
        about: four starts
        layouts: [{nodes: 2}]
        sampling: {iterations: 2, trials: 3, warmup: 2}
        rounds: 2
        sides: {here: {}, there: {env: {OMPI_MCA_a: 1}}}
        groups:
          - {name: sizes, kernel: allreduce}
        """);
    return StudyFile.load("study.yaml", Resources.below(folder)).sampledAs(SAMPLING);
  }

  private void publish(String name, List<CaseRow> rows, JobTime took) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (CaseRow row : rows) {
      lines.append(BenchJson.MAPPER.writeValueAsString(row)).append('\n');
    }
    LinkedHashMap<String, byte[]> content = new LinkedHashMap<>();
    content.put(Bundle.CASES, lines.toString().getBytes(StandardCharsets.UTF_8));
    content.put(Bundle.PROJECTION, JobTime.csv(List.of(took)).getBytes(StandardCharsets.UTF_8));
    Bundle.publish(folder, name, content);
  }
}
