package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program may propose in a sweep of the packed plan and catalogs. */
@Tag("agent")
class ProposalGateTest {
  @TempDir private Path directory;
  private SweepSpec spec;

  @BeforeEach
  void aSweepOfThePackedPlan() throws Exception {
    Files.createDirectories(directory.resolve("configs"));
    Files.writeString(
        directory.resolve("configs/m.gpu.yml"),
        "dcn_pipeline_parallelism: 8\nbase_num_decoder_layers: 64\nper_device_batch_size: 8\n");
    spec =
        SweepFile.parse(
                "sweep.yaml",
                """
                model: m
                parallelism: PP=8
                slot: {nodes: 8}
                workload: {kind: maxtext, repository: %s, validation: {steps: 200}}
                plan: xla-tuning
                playbook: maxtext-rocm
                """
                    .formatted(directory),
                Resources.beside(Path.of("nowhere/sweep.yaml")))
            .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
  }

  @Test
  void whateverThePackedCatalogsOfferMayBeProposed() {
    List<Profile> offered =
        spec.catalogs().stream()
            .map(Catalog::entries)
            .flatMap(List::stream)
            .flatMap(entry -> entry.candidates().stream())
            .toList();
    assertThat(offered).hasSizeGreaterThan(40);
    assertThat(offered).allSatisfy(p -> assertThat(refusal(p)).isEmpty());
  }

  @Test
  void aFlagOfNoCatalogMayBeProposed() {
    assertThat(refusal(flag("--xla_gpu_enable_highest_priority_async_stream"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--xla_dump_to",
        "--xla_dump_hlo_as_text",
        "--xla_gpu_dump_autotune_results_to",
        "--xla_gpu_load_autotune_results_from",
        "--xla_gpu_per_fusion_autotune_cache_dir",
        "--xla_gpu_cuda_data_dir",
        "--xla_disable_hlo_passes",
        "--xla_gpu_kernel_cache_file",
        "--xla_cpu_enable_fast_math",
        "--xla_gpu_enable_fast_min_max",
        "--xla_allow_excess_precision",
        "--xla_gpu_simplify_all_fp_conversions",
        "--jax_debug_nans",
        "--xla_gpu_x; rm -rf /",
      })
  void aFlagThatTouchesFilesOrNumericsMayNot(String name) {
    assertThat(refusal(flag(name))).contains("'" + name + "', which nobody may propose");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LD_PRELOAD",
        "BASH_ENV",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "PATH",
        "SLURM_CONF",
        "DOCKER_IMAGE",
        "NCCL_NET_PLUGIN",
        "NCCL_DEBUG_FILE",
        "NCCL_TOPO_FILE",
        "XLA_FLAGS",
        "FOO",
      })
  void aVariableOfNoCatalogMayNot(String name) {
    assertThat(refusal(Profile.of("p", Map.of(), Map.of(name, "1"), Map.of())))
        .contains("'" + name + "', which nobody may propose");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "per_device_batch_size",
        "max_target_length",
        "dtype",
        "quantization",
        "capacity_factor",
        "steps",
      })
  void whatMovesTheMetricIsForAPersonToApprove(String name) {
    Profile profile = Profile.of("p", Map.of(), Map.of(), Map.of(name, "1"));
    assertThat(refusal(profile)).isEmpty();
    assertThat(WhatIsTrained.moved(profile)).containsExactly(name);
    for (String value : List.of("/tmp/x", "$(id)", "a b", "-1", "")) {
      assertThat(refusal(Profile.of("p", Map.of(), Map.of(), Map.of(name, value))))
          .as(value)
          .contains("'" + name + "'")
          .contains("a plain value");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "base_output_directory",
        "load_parameters_path",
        "hardware",
        "enable_checkpointing",
        "num_steps_file",
      })
  void anyOtherSettingOfNoCatalogMayNot(String name) {
    Profile profile = Profile.of("p", Map.of(), Map.of(), Map.of(name, "1"));
    assertThat(refusal(profile)).contains("'" + name + "', which nobody may propose");
    assertThat(WhatIsTrained.moved(profile)).isEmpty();
  }

  /** No row of a packed catalog counts as a change of what is trained. */
  @Test
  void whatCatalogsOfferMovesNothing() {
    spec.catalogs().stream()
        .flatMap(catalog -> catalog.entries().stream())
        .flatMap(entry -> entry.candidates().stream())
        .forEach(p -> assertThat(WhatIsTrained.moved(p)).isEmpty());
  }

  private static Profile flag(String name) {
    return Profile.of("p", Map.of(name, "true"), Map.of(), Map.of());
  }

  private String refusal(Profile profile) {
    return ProposalGate.refusal(List.of(profile), spec).orElse("");
  }
}
