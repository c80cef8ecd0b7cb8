package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program may propose in a sweep of the packed plan and catalogs. */
@Tag("agent")
class ProposalGateTest {
  @TempDir private static Path directory;
  private static SweepSpec spec;

  @BeforeAll
  static void aSweepOfThePackedPlan() throws Exception {
    Files.createDirectories(directory.resolve("configs"));
    Files.writeString(
        directory.resolve("configs/m.gpu.yml"),
        "dcn_pipeline_parallelism: 8\nbase_num_decoder_layers: 64\nper_device_batch_size: 8\n");
    spec = sweep("", "");
  }

  private static SweepSpec sweep(String more, String workload) throws Exception {
    return SweepFile.parse(
            "sweep.yaml",
            """
            model: m
            parallelism: PP=8
            slot: {nodes: 8}
            workload: {kind: maxtext, repository: %s, validation: {steps: 200}%s}
            plan: xla-tuning
            playbook: maxtext-rocm
            %s"""
                .formatted(directory, workload, more),
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
    assertThat(refusal(flag("--xla_gpu_experimental_stream_annotation"))).isEmpty();
  }

  /** The value can neither name a file nor add another option. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/tmp/x",
        "1 --xla_dump_to=/tmp",
        "256' --xla_dump_to=/tmp --xla_gpu_x='",
        "$(id)",
        "WARN",
        "1e308",
        "1\n2",
        "",
      })
  void aFlagOfNoCatalogIsTrueFalseOrAWholeNumber(String value) {
    String name = "--xla_gpu_experimental_stream_annotation";
    for (String bare : List.of("true", "false", "3", "-1")) {
      assertThat(refusal(Profile.of("p", Map.of(name, bare), Map.of(), Map.of()))).isEmpty();
    }
    assertThat(refusal(Profile.of("p", Map.of(name, value), Map.of(), Map.of())))
        .contains("expected true, false or a whole number");
  }

  @ParameterizedTest
  @CsvSource({
    "--xla_gpu_all_gather_combine_threshold_bytes, 4194304, 3",
    "--xla_gpu_all_gather_combine_threshold_bytes, 17179869184, 99999999999999999999",
    "--xla_gpu_enable_latency_hiding_scheduler, true, maybe",
    "XLA_PYTHON_CLIENT_MEM_FRACTION, 0.9, 99999999",
    "XLA_PYTHON_CLIENT_MEM_FRACTION, .95, /etc/passwd",
    "NCCL_PROTO, LL, 99999999",
    "NCCL_BUFFSIZE, 8388608, $(id)",
    "NCCL_BUFFSIZE, 16777216, -1",
    "num_layers_per_pipeline_stage, 2, 1e9",
  })
  void aCataloguedSettingTakesTheValuesThatItsCatalogOffers(
      String setting, String offered, String not) {
    assertThat(refusal(setting(setting, offered))).isEmpty();
    assertThat(refusal(setting(setting, not)))
        .contains(
            "'" + setting + "', which no program may propose: found '" + not + "', expected ");
  }

  private static Profile setting(String name, String value) {
    Map<String, String> set = Map.of(name, value);
    return name.startsWith("-")
        ? Profile.of("p", set, Map.of(), Map.of())
        : Character.isUpperCase(name.charAt(0))
            ? Profile.of("p", Map.of(), set, Map.of())
            : Profile.of("p", Map.of(), Map.of(), set);
  }

  /**
   * The settings of a person's profile may be tried in other combinations, but with no other value.
   */
  @Test
  void whatAProfileOfTheFileSetsMayBeCombinedAnew() throws Exception {
    SweepSpec own =
        sweep("profiles: {a: {env: {CHUNK: 16}, overrides: {remat_policy: full}}}\n", "");
    assertThat(refusal(setting("CHUNK", "16"), own)).isEmpty();
    assertThat(refusal(setting("remat_policy", "full"), own)).isEmpty();
    assertThat(refusal(setting("CHUNK", "17"), own)).contains("found '17', expected 16");
    assertThat(refusal(setting("remat_policy", "minimal"), own)).contains("expected full");
    SweepSpec loader = sweep("profiles: {a: {env: {LD_PRELOAD: /x.so}}}\n", "");
    assertThat(refusal(setting("LD_PRELOAD", "/x.so"), loader)).contains("obeys it");
  }

  /** A person's file cannot circumvent this either: XLA would read further flags. */
  @ParameterizedTest
  @ValueSource(strings = {"1 --xla_dump_to=/x", "1' --xla_dump_to=/x '", "a\\\\b", "1\\tb"})
  void aValueThatXlaWouldReadAsSeveralIsRefusedForEveryone(String value) {
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> sweep("profiles: {a: {flags: {--xla_x: \"" + value + "\"}}}\n", ""))
        .withMessageContaining("without spaces, quotes and backslashes");
  }

  /** Each of several proposals is checked. */
  @Test
  void theSecondProfileIsLookedAtAsWell() {
    assertThat(
            ProposalGate.refusal(
                List.of(
                    flag("--xla_gpu_enable_highest_priority_async_stream"),
                    setting("LD_PRELOAD", "x")),
                spec))
        .isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "profiles: {a: {env: {LD_PRELOAD: /x.so}}}",
        "profiles: {a: {env: {BASH_ENV: /x}}}",
        "profiles: {a: {env: {ok: 1}}, b: {env: {PYTHONPATH: /x}}}",
        "profiles: {a: {flags: {--xla_dump_to: /x}}}",
        "profiles: {a: {flags: {--xla_gpu_enable_fast_min_max: true}}}",
        "profiles: {a: {flags: {--xla_gpu_made_up: true}}}",
        "profiles: {a: {flags: {--xla_gpu_made_up_async: /x}}}",
      })
  void anAssistantStartsNoSweepThatSetsThem(String profiles) throws Exception {
    assertThat(ProposalGate.refusalToStart(sweep(profiles + "\n", "")))
        .hasValueSatisfying(
            why -> assertThat(Phrases.EN.text(why)).contains("which no program may propose"));
  }

  @Test
  void aSweepOfThePackedPlanIsStartedAndOneWhoseCellLoadsSomethingIsNot() throws Exception {
    assertThat(ProposalGate.refusalToStart(spec)).isEmpty();
    assertThat(ProposalGate.refusalToStart(sweep("profiles: {a: {env: {ok: 1}}}\n", ""))).isEmpty();
    assertThat(ProposalGate.refusalToStart(sweep("", ", env: {LD_PRELOAD: /x.so}")))
        .hasValueSatisfying(
            why -> assertThat(Phrases.EN.text(why)).startsWith("the workload sets 'LD_PRELOAD'"));
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
        "--xla_backend_extra_options",
        "--xla_gpu_asm_extra_flags",
        "--xla_gpu_ftz",
        "--xla_gpu_autotune_gemm_rtol",
        "--xla_gpu_fused_attention_use_cudnn_rng",
        "--xla_gpu_enable_approx_costly_collectives",
        "--xla_gpu_enable_reassociation_for_converted_ar",
        "--xla_cpu_strict_dot_conv_math",
        "--xla_gpu_override_gemm_autotuner",
        "--xla_gpu_enable_split_k_autotuning",
        "--xla_force_host_platform_device_count",
        "--xla_tpu_enable_all_reduce_offload_tracing",
        "--xla_gpu_mock_collectives",
        "--xla_gpu_unsafe_pipelined_loop_annotator",
        "--xla_gpu_some_name_of_no_family",
        "--xla_gpu_x; rm -rf /",
      })
  void aFlagThatTouchesFilesOrNumericsMayNot(String name) {
    assertThat(refusal(flag(name))).contains("'" + name + "', which no program may propose");
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
        "NCCL_NET_LIB",
        "PS4",
        "http_proxy",
        "FOO",
      })
  void aVariableOfNoCatalogMayNot(String name) {
    assertThat(refusal(Profile.of("p", Map.of(), Map.of(name, "1"), Map.of())))
        .contains("'" + name + "', which no program may propose");
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
    assertThat(refusal(profile)).contains("'" + name + "', which no program may propose");
    assertThat(WhatIsTrained.moved(profile)).isEmpty();
  }

  /** No entry of a packed catalog counts as a change of the training. */
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
    return refusal(profile, spec);
  }

  private static String refusal(Profile profile, SweepSpec of) {
    return ProposalGate.refusal(List.of(profile), of).map(Phrases.EN::text).orElse("");
  }
}
