package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.KernelResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bundle's jobs, as the next projection of its study knows them. */
@Tag("kernels")
class EarlierTimesTest {
  private static final Study.Sampling SAMPLING = new Study.Sampling(2, 3, 2);
  private static final ShardKey KEY = new ShardKey("cpu", "mpi", 2, 2, "allreduce");

  private final ObjectNode identity =
      BenchJson.MAPPER.createObjectNode().put("kernel", "allreduce").put("sampling", "2x3x2");
  private final PlannedCase planned =
      new PlannedCase(
          "a",
          List.of(),
          false,
          identity,
          Optional.empty(),
          new CaseProjection(7, 7, CaseProjection.Basis.MODELLED));
  private final Shard shard = new Shard(KEY, 0, List.of(planned), 8);

  @TempDir Path folder;

  @Test
  void aJobThatIsTheSameTakesWhatItTook() throws Exception {
    // Four starts of the program: 1 s and 3 s for the case, in turns, of 20 s for the job.
    List<Row> rows = List.of(row(1, 1), row(2, 3), row(3, 1), row(4, 3));
    JobTime took = JobTime.of(shard, 1, 60, 20, 4, rows);
    assertThat(took.cases()).isEqualTo(1);
    assertThat(took.startSeconds()).hasValue(3);
    publish("one", rows, took);

    EarlierTimes earlier = EarlierTimes.of(folder);
    Shard again = new Shard(KEY, 0, List.of(at(projection(earlier))), earlier.startSeconds(KEY));
    Study study = study();
    assertThat(again.seconds(study)).isCloseTo(20, within(0.01));
    // A shard that never ran starts as its neighbours do.
    assertThat(earlier.startSeconds(new ShardKey("cpu", "mpi", 4, 4, "allreduce"))).isEqualTo(3);
  }

  @Test
  void aStartIsNotKnownWhereACaseDoesNotTellItsTime() throws Exception {
    Row lost =
        Row.of(
            shard,
            new RunKey(Row.ONE_SIDE, 2, 1),
            Optional.empty(),
            planned,
            CaseDisposition.FAILED,
            Optional.of("the program ended"),
            Optional.empty());
    JobTime took = JobTime.of(shard, 1, 60, 20, 2, List.of(row(1, 1), lost));
    assertThat(took.startSeconds()).isEmpty();
    publish("one", List.of(row(1, 1), lost), took);
    assertThat(EarlierTimes.of(folder).startSeconds(KEY)).isEqualTo(8);
  }

  private CaseProjection projection(EarlierTimes earlier) {
    return earlier
        .of(
            List.of(2),
            List.of(
                new Capabilities.CaseCapability(
                    "a", identity, Optional.empty(), planned.projection())))
        .getFirst();
  }

  private PlannedCase at(CaseProjection projection) {
    return new PlannedCase("a", List.of(), false, identity, Optional.empty(), projection);
  }

  private Study study() throws Exception {
    return new LocalStudies(folder)
        .study(
            """
            about: four starts
            layouts: [{nodes: 2}]
            sampling: {iterations: 2, trials: 3, warmup: 2}
            rounds: 2
            sides: {here: {}, there: {env: {OMPI_MCA_a: 1}}}
            groups:
              - {name: sizes, kernel: allreduce}
            """)
        .sampledAs(SAMPLING);
  }

  private void publish(String name, List<Row> rows, JobTime took) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (Row row : rows) {
      lines.append(BenchJson.MAPPER.writeValueAsString(row)).append('\n');
    }
    LinkedHashMap<String, byte[]> content = new LinkedHashMap<>();
    content.put(Bundle.CASES, lines.toString().getBytes(StandardCharsets.UTF_8));
    content.put(Bundle.PROJECTION, JobTime.csv(List.of(took)).getBytes(StandardCharsets.UTF_8));
    Bundle.publish(folder, name, content);
  }

  /** Measured in so many seconds, half of them timed. */
  private Row row(int round, double seconds) {
    KernelResult.Case record =
        new KernelResult.Case(
            "a",
            identity,
            "measured",
            null,
            0L,
            BenchJson.MAPPER.createObjectNode(),
            BenchJson.MAPPER.createObjectNode(),
            SAMPLING.iterations(),
            SAMPLING.trials(),
            SAMPLING.warmup(),
            BenchJson.MAPPER
                .createObjectNode()
                .put("elapsedSeconds", seconds)
                .put("timedSeconds", seconds / 2),
            null,
            List.of());
    return Row.of(
        shard,
        new RunKey(Row.ONE_SIDE, round, 1),
        Optional.empty(),
        planned,
        CaseDisposition.MEASURED,
        Optional.empty(),
        Optional.of(record));
  }
}
