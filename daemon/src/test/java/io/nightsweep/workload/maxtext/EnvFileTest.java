package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.workload.maxtext.EnvFile.Setting;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an env file of the launcher's sets for every cell of its model. */
@Tag("xla")
class EnvFileTest {
  @Test
  void exportsOutsideOfBranchesAreCertain() {
    assertThat(
            certain(
                "export NCCL_PROTO=LL # why\nexport A='x y'\nXLA_FLAGS=\"$XLA_FLAGS --xla_a=1\"\n"))
        .containsExactly("NCCL_PROTO=LL # why", "A='x y'", "XLA_FLAGS=\"$XLA_FLAGS --xla_a=1\"");
    assertThat(certain("B=1\nexport B\n")).containsExactly("B=1");
    assertThat(certain("C=1\n")).as("it reaches no training").isEmpty();
  }

  /** The grammar of the launcher's file of deepseek3-671b. */
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
    assertThat(EnvFile.parse(file).settings())
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

  private static List<String> certain(String file) {
    return EnvFile.parse(file).settings().stream()
        .filter(Setting::isCertain)
        .map(s -> s.variable() + "=" + s.written())
        .toList();
  }
}
