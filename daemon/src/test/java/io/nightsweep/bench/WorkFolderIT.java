package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.plan.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a later run resumes from, even if the earlier one was killed. */
@Tag("kernels")
class WorkFolderIT {
  private static final String STUDY =
      """
      about: two sides
      layouts: [{nodes: 2}]
      cpusPerTask: 1
      rounds: 3
      sides:
        first: {}
        second: {program: second, env: {OMPI_MCA_btl_tcp_eager_limit: 4096}}
      groups:
        - {name: sizes, kernel: allreduce, axes: {bytes: [8]}}
      """;

  @TempDir Path folder;
  private LocalStudies studies;
  private Path program;

  @BeforeEach
  void open() throws IOException {
    studies = new LocalStudies(folder);
    program = Files.writeString(folder.resolve("first"), "one build");
    Files.writeString(folder.resolve("second"), "another build");
  }

  @Test
  void aLineThatAHardStopCutIsNone() throws Exception {
    WorkFolder work = begun(request());
    new Attempts(work.attempts()).append(List.of(new MeasuredRows().lost(1)));
    for (String file : List.of("attempts.ndjson", "sources.ndjson", "times.ndjson")) {
      Files.writeString(
          work.folder().resolve(file),
          "{\"schema\":1,\"shard\":{\"dev",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    assertThat(work.rows()).hasSize(1);
    assertThat(work.sources()).isEmpty();
    assertThat(work.times()).isEmpty();
    Files.writeString(work.attempts(), "{}\n", StandardOpenOption.APPEND);
    assertThatThrownBy(work::rows).hasMessageContaining("attempts.ndjson:2: no row");
  }

  /** Otherwise a resumed run that is stopped at once would hide the rows that it resumes from. */
  @Test
  void aRunThatWasStoppedBeforeItBeganIsNone() throws Exception {
    BenchRequest first = request();
    WorkFolder work = begun(first);
    WorkFolder stopped = WorkFolder.create(request());
    assertThat(WorkFolder.latest(first.folder(), "study", StudyRehearsal.NONE)).contains(work);
    Files.writeString(stopped.folder().resolve("run.json"), "{\"study\":\"stu");
    assertThat(WorkFolder.latest(first.folder(), "study", StudyRehearsal.NONE)).contains(work);
    WorkFolder next = begun(request());
    assertThat(WorkFolder.latest(first.folder(), "study", StudyRehearsal.NONE)).contains(next);
  }

  @Test
  void rowsOfTwoConfigurationsAreNoOneStudys() throws Exception {
    WorkFolder work = begun(request());
    assertThatCode(() -> work.hold(request(), study())).doesNotThrowAnyException();
    assertThat(work.nodes()).isEqualTo(LocalStudies.NODES);
    refused(work, "sides' env", request(), STUDY.replace("4096", "8192"));
    refused(work, "cpusPerTask: 2 instead of 1", request(), STUDY.replace("Task: 1", "Task: 2"));
    refused(work, "program", request(), STUDY.replace("program: second, ", ""));
    refused(work, "injected fault", studies.request(program, Optional.of("straggler")), STUDY);
    refused(work, "nodes: [n4, n3]", on(List.of("n4", "n3")), STUDY);
    Files.writeString(folder.resolve("second"), "a third build");
    refused(work, "program", request(), STUDY);
  }

  private void refused(WorkFolder work, String why, BenchRequest request, String study)
      throws Exception {
    Study changed = studies.study(study);
    assertThatThrownBy(() -> work.hold(request, changed))
        .as(why)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run-1 was measured otherwise (" + why)
        .hasMessageContaining("without --resume");
  }

  private Study study() throws Exception {
    return studies.study(STUDY);
  }

  private BenchRequest request() {
    return studies.request(program, Optional.empty());
  }

  private BenchRequest on(List<String> nodes) {
    BenchRequest usual = request();
    return new BenchRequest(
        usual.id(),
        usual.home(),
        usual.program(),
        nodes,
        usual.partition(),
        usual.folder(),
        usual.startedAt(),
        usual.hostSalt(),
        usual.rehearsal(),
        usual.resumed(),
        usual.inject());
  }

  private WorkFolder begun(BenchRequest request) throws Exception {
    WorkFolder work = WorkFolder.create(request);
    work.begin(request, study());
    return work;
  }
}
