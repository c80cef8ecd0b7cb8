package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.workload.maxtext.BashFile.Setting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Variables that the launcher's bash files set in every case. */
@Tag("xla")
class BashFileTest {
  @Test
  void exportsOutsideOfBranchesAreCertain() {
    assertThat(
            certain(
                "export NCCL_PROTO=LL # why\nexport A='x y'\nXLA_FLAGS=\"$XLA_FLAGS --xla_a=1\"\n"))
        .containsExactly("NCCL_PROTO=LL # why", "A='x y'", "XLA_FLAGS=\"$XLA_FLAGS --xla_a=1\"");
    assertThat(certain("B=1\nexport B\n")).containsExactly("B=1");
    assertThat(certain("C=1\n")).as("it reaches no training").isEmpty();
  }

  /** The forms in the launcher's file of deepseek3-671b. */
  @Test
  void whatABranchSetsIsToldAndNotCertain() {
    String file =
        """
        _pp() {  # $1=key
            local val=1
            PP="$val"
        }
        for _k in dcn ici; do
            [[ "$_k" == dcn ]] && _n=2
        done
        if [[ "${_n:-1}" -le 1 ]]; then
            XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }--xla_gpu_all_gather_combine_threshold_bytes=1073741824"
        else
            XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }--xla_gpu_experimental_parallel_collective_overlap_limit=2"
            if [[ "$_sparse" == "true" ]]; then
                XLA_FLAGS="$XLA_FLAGS --xla_gpu_enable_highest_priority_async_stream=true"
            fi
        fi
        export XLA_FLAGS
        export AFTER=1
        """;
    assertThat(BashFile.parse(file, name -> "").settings())
        .extracting(Setting::variable)
        .containsExactly("PP", "XLA_FLAGS", "XLA_FLAGS", "XLA_FLAGS", "AFTER");
    assertThat(certain(file)).containsExactly("AFTER=1");
  }

  @Test
  void whatALaterLineMayUndoIsNotCertain() {
    assertThat(certain("export A=1\nexport B=1\nif x; then\n  export A=2\nfi\n"))
        .containsExactly("B=1");
    assertThat(certain("export A=1\n[[ $PP ]] && unset A\n")).isEmpty();
    assertThat(certain("export A=1\nsource other.sh\n")).isEmpty();
    assertThat(certain("XLA_FLAGS=--xla_a=1\nif x; then XLA_FLAGS+=' --xla_b=1'; fi\n"))
        .containsExactly("XLA_FLAGS=--xla_a=1");
    assertThat(certain("XLA_FLAGS=--xla_a=1\nif x; then XLA_FLAGS+=' --xla_a=2'; fi\n")).isEmpty();
    assertThat(certain("XLA_FLAGS=--xla_a=1\nif x; then XLA_FLAGS=' --xla_b=2'; fi\n")).isEmpty();
  }

  @Test
  void whatIsNotReachedInEveryJobIsNotCertain() {
    assertThat(certain("export A=1\n[[ $PP ]] && return\nexport B=1\n")).containsExactly("A=1");
    assertThat(certain("case $PP in\n  1) export A=1 ;;\nesac\nexport B=1\n"))
        .containsExactly("B=1");
    assertThat(certain(": <<'END'\nexport A=1\nEND\n")).isEmpty();
    assertThat(certain("export A=\"${PP:+--xla_a=1}\"\nexport B=\"$(f)\"\n")).isEmpty();
  }

  /** The forms in the launcher's {@code container_env.sh}, with or without its local file. */
  @Test
  void aFileBesideSetsWhatItNames() {
    String file =
        """
        DOCKER_REGISTRY="${DOCKER_REGISTRY:-docker.io}"
        if [[ -f "${BASH_SOURCE[0]%/*}/container_env.local.sh" ]]; then
            source "${BASH_SOURCE[0]%/*}/container_env.local.sh"
        fi
        DOCKER_IMAGE="${DOCKER_IMAGE:-rocm/jax-training:maxtext-v26.2}"  # the container's
        BRANCH="${BRANCH-}"
        if [[ -n "${DIRS:-}" ]]; then
            IFS=',' read -ra DIRS <<< "$DIRS"
        fi
        AFTER=1
        """;
    Map<String, String> all =
        Map.of(
            "DOCKER_REGISTRY", "docker.io",
            "DOCKER_IMAGE", "rocm/jax-training:maxtext-v26.2",
            "BRANCH", "",
            "AFTER", "1");
    assertThat(values(file, "")).isEqualTo(all);
    assertThat(values(file, "DOCKER_TOKEN=x\n")).isEqualTo(all);
    assertThat(values(file, "DOCKER_REGISTRY=\"ghcr.io\"\n"))
        .as("the file says another in every job, or in some")
        .doesNotContainKey("DOCKER_REGISTRY")
        .hasSize(3);
    assertThat(values(file, "[[ $X ]] && DOCKER_IMAGE=mine\n"))
        .as("what is there is no default's")
        .doesNotContainKey("DOCKER_IMAGE");
    assertThat(values(file.replace("container_env.local", "$OTHER"), ""))
        .as("a file that nobody knows may set anything")
        .containsOnlyKeys("AFTER");
  }

  @Test
  void aValueIsTheLastThatIsSure() {
    assertThat(values("A=1\nA=2\n", "")).containsEntry("A", "2");
    assertThat(values("A=1\nA=${A:-2}\n", "")).containsEntry("A", "1");
    assertThat(values("A=\nA=${A:-2}\n", "")).as("an empty one may give way").isEmpty();
    assertThat(values("A=1\nA=\"$B\"\n", "")).isEmpty();
    assertThat(values("A=1\nA+=2\n", "")).as("12").isEmpty();
    assertThat(values("export A='x y'; B=2; C=\"3;4\" # why\n", ""))
        .isEqualTo(Map.of("A", "x y", "B", "2", "C", "3;4"));
    assertThat(values("if x; then\n  A=1; B=2\nfi\nC=3; return\n", "")).isEmpty();
  }

  private static Map<String, String> values(String file, String beside) {
    return BashFile.parse(file, name -> name.equals("container_env.local.sh") ? beside : "")
        .values();
  }

  private static List<String> certain(String file) {
    return BashFile.parse(file, name -> "").settings().stream()
        .filter(s -> s.isCertain() && s.isExported())
        .map(s -> s.variable() + "=" + s.written())
        .toList();
  }
}
