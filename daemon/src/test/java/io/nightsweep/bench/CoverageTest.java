package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoverageTest {
  private final PlannedCase a = planned("a", 8);
  private final PlannedCase b = planned("b", 16);
  private final Shard shard =
      new Shard(new ShardKey("cpu", "mpi", 2, 2, "allreduce"), 0, List.of(a, b), 8);

  @TempDir Path folder;

  @Test
  void eachFlawIsToldOnce() {
    CaseRow good = row(a, CaseDisposition.MEASURED);
    assertThat(coverage(List.of(good, row(b, CaseDisposition.FAILED))).isComplete()).isTrue();
    assertThat(coverage(List.of(good)).problems())
        .containsExactly("missing: b of cpu-mpi-n2-r2-allreduce");
    assertThat(coverage(List.of(good, good, good, row(b, CaseDisposition.FAILED))).problems())
        .containsExactly("duplicate: a of cpu-mpi-n2-r2-allreduce");
    assertThat(
            coverage(
                    List.of(
                        good,
                        row(b, CaseDisposition.FAILED),
                        row(planned("c", 1), CaseDisposition.FAILED)))
                .problems())
        .containsExactly("extra: c of cpu-mpi-n2-r2-allreduce");
    assertThat(coverage(List.of(good, row(planned("b", 17), CaseDisposition.MEASURED))).problems())
        .containsExactly("mismatched identity: b of cpu-mpi-n2-r2-allreduce");
  }

  @Test
  void casesOfOneRoutingWereGivenTheSameChoices() {
    ObjectNode small = BenchJson.MAPPER.createObjectNode().put("kernel", "ep").put("tokens", 8);
    CaseRow one = routed("a", small.deepCopy().put("dtype", "bf16"), "d1");
    CaseRow alike = routed("b", small.deepCopy().put("dtype", "fp8"), "d1");
    CaseRow otherwise = routed("b", small.deepCopy().put("dtype", "fp8"), "d2");
    CaseRow another = routed("b", small.deepCopy().put("tokens", 16), "d2");
    assertThat(coverage(List.of(one, alike)).problems()).noneMatch(p -> p.contains("routed"));
    assertThat(coverage(List.of(one, another)).problems()).noneMatch(p -> p.contains("routed"));
    assertThat(coverage(List.of(one, otherwise)).problems())
        .contains(
            "routed otherwise than a of cpu-mpi-n2-r2-allreduce: b of cpu-mpi-n2-r2-allreduce");
  }

  private CaseRow routed(String id, ObjectNode identity, String hash) {
    CaseRow row = new MeasuredRows().row(1, 1, new Study.Sampling(2, 3, 2));
    row.record().ifPresent(r -> ((ObjectNode) r.facts()).put("routingHash", hash));
    return CaseRow.of(
        shard,
        new RunKey(CaseRow.ONE_SIDE, 1, 1),
        row.job(),
        planned(id, identity),
        CaseDisposition.MEASURED,
        Optional.empty(),
        row.record());
  }

  @Test
  void aRequiredCaseThatFailedKeepsTheBundleFromBeingTheLatest() {
    CaseCoverage coverage =
        coverage(List.of(row(a, CaseDisposition.FAILED), row(b, CaseDisposition.MEASURED)));
    assertThat(coverage.isComplete()).isTrue();
    assertThat(coverage.unmeasuredRequired())
        .containsExactly("a of cpu-mpi-n2-r2-allreduce is failed: why");
  }

  @Test
  void theLastAttemptCountsAndTheFirstIsStillThere() throws Exception {
    Attempts attempts = new Attempts(folder.resolve("attempts.ndjson"));
    attempts.append(List.of(row(a, CaseDisposition.FAILED)));
    attempts.append(List.of(row(a, CaseDisposition.MEASURED)));
    assertThat(attempts.counting()).singleElement().matches(CaseRow::isMeasured);
    assertThat(Attempts.read(folder.resolve("attempts.ndjson"))).hasSize(2);
  }

  /** Rows as earlier builds wrote them, with causes as sentences. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NOT_BEGUN | exit 9; job 7 ended | the case was not begun (exit 9; job 7 ended)",
        "UNATTESTED | exit 9; job 7 ended | it was timed, but its job left no document of where and"
            + " how it ran (exit 9; job 7 ended)",
        "TOLD | 2 elements are wrong | 2 elements are wrong"
      })
  void aRowOfSchema1HasItsCause(CaseCause.Kind kind, String told, String reason) throws Exception {
    Path file = folder.resolve("attempts.ndjson");
    Files.writeString(
        file,
        """
        {"schema":1,"shard":{"deviceKind":"cpu","backend":"mpi","nodes":2,"ranks":2,"mode":"normal"},\
        "side":"only","round":1,"attempt":1,"job":"7","groups":["sizes"],"required":false,\
        "caseId":"a","identity":{"kernel":"ep"},"disposition":"FAILED","reason":"%s",\
        "record":null}
        """
            .formatted(reason));
    CaseRow row = Attempts.read(file).getFirst();
    assertThat(row.cause()).hasValue(new CaseCause(kind, told));
    assertThat(row.reason()).hasValue(reason);
    Files.delete(file);
    new Attempts(file).append(List.of(row));
    assertThat(Attempts.read(file)).containsExactly(row);
    assertThat(Files.readString(file)).contains("\"schema\":2", "\"reason\":\"" + reason);
  }

  @Test
  void aRowWithADuplicateKeyOrAnUnknownFieldIsRefused() throws Exception {
    Path file = folder.resolve("attempts.ndjson");
    new Attempts(file).append(List.of(row(a, CaseDisposition.MEASURED)));
    String line = Files.readString(file).strip();
    for (String spoilt :
        List.of(
            line.replaceFirst("\\{", "{\"schema\":2,"),
            line.replaceFirst("\\{", "{\"colour\":3,"),
            line.substring(0, line.length() / 2))) {
      Files.writeString(file, spoilt + "\n");
      assertThatThrownBy(() -> Attempts.read(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("attempts.ndjson:1: no row");
    }
    Files.writeString(file, "");
    assertThatThrownBy(() -> Attempts.read(file)).hasMessageContaining("holds no row");
  }

  @Test
  void aBundleIsWholeOrNotThereAndNeverReplaced() throws Exception {
    LinkedHashMap<String, byte[]> content = new LinkedHashMap<>();
    content.put("a/b.txt", new byte[] {1, 2});
    Bundle first = Bundle.publish(folder, "one", content);
    first.verify();
    first.makeLatest();
    assertThatThrownBy(() -> Bundle.publish(folder, "one", content))
        .hasMessageContaining("already");
    Bundle second = Bundle.publish(folder, "two", content);
    assertThat(Bundle.latest(folder)).isEqualTo(new Bundle(first.folder().toRealPath()));
    second.makeLatest();
    assertThat(Bundle.latest(folder)).isEqualTo(new Bundle(second.folder().toRealPath()));
    Files.write(second.folder().resolve("a/b.txt"), new byte[] {3});
    assertThatThrownBy(second::verify).hasMessageContaining("a/b.txt is not what was published");
  }

  private CaseCoverage coverage(List<CaseRow> rows) {
    Map<CaseRow.Key, PlannedCase> expected = new LinkedHashMap<>();
    shard
        .cases()
        .forEach(
            c -> expected.put(new CaseRow.Key(shard.id(), CaseRow.ONE_SIDE, 1, c.caseId()), c));
    return CaseCoverage.of(expected, rows, List.of());
  }

  private CaseRow row(PlannedCase planned, CaseDisposition disposition) {
    return CaseRow.of(
        shard,
        new RunKey(CaseRow.ONE_SIDE, 1, 1),
        Optional.of("7"),
        planned,
        disposition,
        disposition == CaseDisposition.MEASURED
            ? Optional.empty()
            : Optional.of(CaseCause.told("why")),
        Optional.empty());
  }

  private static PlannedCase planned(String id, int bytes) {
    return planned(
        id, BenchJson.MAPPER.createObjectNode().put("kernel", "allreduce").put("bytes", bytes));
  }

  private static PlannedCase planned(String id, ObjectNode identity) {
    return new PlannedCase(
        id,
        List.of("sizes"),
        true,
        identity,
        Optional.empty(),
        new CaseProjection(0, 0, CaseProjection.Basis.MODELLED));
  }
}
