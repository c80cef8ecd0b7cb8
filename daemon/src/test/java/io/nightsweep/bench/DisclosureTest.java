package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values are masked for what they disclose, whatever their names are. */
@Tag("kernels")
class DisclosureTest {
  private static final Disclosure HIDING =
      Disclosure.of(
          Map.of("CANARY_TOKEN", "s3cret-canary"),
          Optional.of(List.of("n1", "login7", "door.cluster")));

  /** For a run that knows no other machine's name. */
  private static final Disclosure UNPINNED = Disclosure.of(Map.of(), Optional.of(List.of("n1")));

  private static final Disclosure TELLING = Disclosure.of(Map.of(), Optional.empty());

  @Test
  void valuesThatTellAreMaskedWhateverTheirNames() throws Exception {
    ObjectNode environment =
        BenchJson.MAPPER
            .createObjectNode()
            .put("NCCL_COMM_ID", "login7.internal.example:5000")
            .put("OMPI_MCA_btl_tcp_if_include", "10.31.7.0/24")
            .put("OMP_TOOL_LIBRARIES", "/home/alice/libtool.so")
            .put("OMPI_MCA_mca_base_env_list", "AWS_SECRET=abc123456")
            .put("UCX_NOTE", "s3cret-canary")
            .put("UCX_NET", "[2001:db8::7]:5000 2001:DB8:0:0:0:0:0:9 fe80::1%eth0 ::1f")
            .put("also", "gw_login8.internal.example x_10.9.8.7")
            .put("note", "login7 is a node by its first label")
            .put("reason", "rank 0 on n1: no peer login7");
    String masked = HIDING.masked(environment, ObjectNode.class).toString();
    assertThat(masked)
        .doesNotContain("internal", "10.31", "alice", "abc123456", "s3cret", "n1", "login7")
        .doesNotContain("db8", "DB8", "fe80", "::1f", "10.9")
        .contains("NCCL_COMM_ID", "5000");
  }

  /** Host names of one or two parts disclose as much as full ones. */
  @Test
  void aShortNameOfAHostNobodyPinnedIsMasked() throws Exception {
    for (String told :
        List.of(
            "login7:5000",
            "gw7.cluster",
            "gw7.cluster:22",
            "gw7.rack12",
            "gateway.cluster",
            "door.internal:5000",
            "tcp://login-7:1024,x",
            "no peer at node12.hpc.")) {
      ObjectNode record = BenchJson.MAPPER.createObjectNode().put("reason", told);
      assertThat(UNPINNED.masked(record, ObjectNode.class).path("reason").asText())
          .as(told)
          .contains("[hidden]")
          .doesNotContain("login", "gw7", "gateway", "door", "node12");
      LinkedHashMap<String, byte[]> content = new LinkedHashMap<>();
      content.put("summary.md", bytes(told + "\n"));
      assertThatThrownBy(() -> UNPINNED.hold(content))
          .as(told)
          .hasMessageContaining("summary.md:1");
    }
  }

  @Test
  void versionsFilesAndSettingsAreNoHosts() throws Exception {
    ObjectNode record = BenchJson.MAPPER.createObjectNode();
    for (String told :
        List.of(
            "libmpi.so.40",
            "libcublas12.so.12",
            "gemm.cpp:120",
            "avx512.cpp:1200: no",
            "cpu-mpi-n2-r2-allreduce-attempt-1.json",
            "figures/latency-1.svg",
            "ring_1d.svg",
            "v4.1.4 python3.11 0.3.21 2.21.5+cuda12.4",
            "Linux 5.14.0-427.el9.x86_64 4.18.0-513.el8.aarch64",
            "mlx5_0:1,mlx5_1:1",
            "rc_mlx5:8192 intra:65536,inter:8192",
            "e.g. std::vector, i.e. ns::Buffer at 03:04:05")) {
      record.put("value" + record.size(), told);
    }
    assertThat(UNPINNED.masked(record, ObjectNode.class)).isEqualTo(record);
  }

  @Test
  void whatTellsNothingStays() throws Exception {
    ObjectNode record =
        BenchJson.MAPPER
            .createObjectNode()
            .put("shard", "cpu-mpi-n1-r2-normal")
            .put(
                "transport", "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, May 26, 2022")
            .put("operatingSystem", "Linux 6.1.0-18-cloud-amd64 x86_64")
            .put("metricContract", "barrier; operation x opsPerSample; max over ranks; v2")
            .put("blas", "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH Haswell MAX_THREADS=64")
            .put("library", "std::vector of ns::Buffer at the door 03:04:05")
            .put("startedAt", "2026-01-02T03:04:05.678Z");
    assertThat(HIDING.masked(record, ObjectNode.class)).isEqualTo(record);
  }

  @Test
  void nothingIsPublishedThatStillTellsSomething() {
    LinkedHashMap<String, byte[]> content = new LinkedHashMap<>();
    content.put("summary.md", bytes("# Study\n\nfine\n"));
    content.put("cases.ndjson", bytes("{\"copiesPerToken\":5.2947123}\n{\"reason\":\"fine\"}\n"));
    assertThatCode(() -> HIDING.hold(content)).doesNotThrowAnyException();
    content.put("control/a.json", bytes("{\"about\":\"see /home/alice/x\"}\n"));
    content.put("cases.ndjson", bytes("{\"a\":1}\n{\"reason\":\"hf_abcdefghijklmnopqrstuvwx\"}\n"));
    assertThatThrownBy(() -> HIDING.hold(content))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cases.ndjson:2")
        .hasMessageContaining("control/a.json:1")
        .hasMessageNotContaining("alice")
        .hasMessageNotContaining("hf_");
    content.remove("cases.ndjson");
    assertThatCode(() -> TELLING.hold(content)).doesNotThrowAnyException();
  }

  /** A study with a figure as a drawing is published even if hosts are hidden. */
  @Test
  void aDrawingTellsNothingByItsFormat() {
    LinkedHashMap<String, byte[]> content = new LinkedHashMap<>();
    String drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>%s</text></svg>\n";
    content.put("figures/pairs.svg", bytes(drawing.formatted("1.25")));
    assertThatCode(() -> HIDING.hold(content)).doesNotThrowAnyException();
    content.put("figures/pairs.svg", bytes(drawing.formatted("login7")));
    assertThatThrownBy(() -> HIDING.hold(content)).hasMessageContaining("figures/pairs.svg:1");
  }

  @Test
  void theNameOfAFieldMayTellToo() {
    for (String name : List.of("NCCL_login7.internal.example", "UCX_10.1.2.3")) {
      LinkedHashMap<String, byte[]> content = new LinkedHashMap<>();
      content.put("manifest.json", bytes("{\"sources\":[{\"environment\":{\"" + name + "\":1}}]}"));
      assertThatThrownBy(() -> HIDING.hold(content)).hasMessageContaining("manifest.json:1");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
