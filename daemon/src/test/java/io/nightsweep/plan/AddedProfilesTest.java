package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A profile that a person adds to a running sweep is checked like its file, with each fault at its
 * place.
 */
@Tag("shipped")
class AddedProfilesTest {
  private static final String AG = "--xla_gpu_all_gather_combine_threshold_bytes";

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
                workload: {kind: maxtext, repository: %s}
                plan: xla-tuning
                playbook: maxtext-rocm
                """
                    .formatted(directory),
                Resources.beside(Path.of("nowhere/sweep.yaml")))
            .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
  }

  @Test
  void aLineIsAProfile() throws Exception {
    assertThat(
            AddedProfiles.ofLine(
                " mine " + AG + "=805306368  OMPI_MCA_knob=LL remat_policy=full",
                spec,
                false,
                Map.of()))
        .containsExactly(
            Profile.of(
                "mine",
                Map.of(AG, "805306368"),
                Map.of("OMPI_MCA_knob", "LL"),
                Map.of("remat_policy", "full")));
  }

  /**
   * The value would be stored in the journal by a daemon that does not have it in its environment.
   */
  @Test
  @Tag("guard")
  void whatAVariableNamedLikeASecretHoldsIsRefused(@TempDir Path folder) throws Exception {
    Map<String, String> environment = Map.of("MY_TOKEN", "correct-horse-battery");
    Path file = folder.resolve("more.yaml");
    Files.writeString(file, "profiles:\n  mine: {env: {GREETING: correct-horse-battery}}\n");
    assertThat(AddedProfiles.ofFile(file, spec, false, Map.of())).hasSize(1);
    assertThatThrownBy(() -> AddedProfiles.ofFile(file, spec, false, environment))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("more.yaml:2:26: what your variable MY_TOKEN holds")
        .hasMessageNotContaining("correct-horse");
    for (String line :
        List.of(
            "mine GREETING=correct-horse-battery",
            "{mine: {env: {GREETING: correct-horse-battery}}}")) {
      assertThatThrownBy(() -> AddedProfiles.ofLine(line, spec, false, environment))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("profile:1:")
          .hasMessageNotContaining("correct-horse");
    }
  }

  @Test
  @Tag("guard")
  void whatItHoldsIsRefusedHoweverItIsWritten(@TempDir Path folder) throws Exception {
    Map<String, String> environment = Map.of("MY_TOKEN", "pass\"w'o\\rd of\nmine");
    Path file = folder.resolve("more.yaml");
    for (String written :
        List.of(
            "\"pass\\\"w'o\\\\rd of\\nmine\"",
            "\"\\x70ass\\\"w'o\\\\rd of\\nmine\"",
            "'pass\"w''o\\rd of\n\n        mine'",
            "|-\n        pass\"w'o\\rd of\n        mine")) {
      Files.writeString(file, "profiles:\n  mine:\n    env:\n      GREETING: " + written + "\n");
      refused(() -> AddedProfiles.ofFile(file, spec, false, environment));
    }
    for (String line :
        List.of(
            "mine GREETING=\"p\\ass\\\"w'o\\\\rd of\nmine\"",
            "{mine: {env: {GREETING: \"pass\\\"w'o\\\\rd of\\nmine\"}}}",
            "{mine: {env: {GREETING: 'https://me:x@h/?key=cGFzcyJ3J29ccmQgb2YKbWluZQ=='}}}",
            "{mine: {env: {GREETING: 'pass%22w%27o%5Crd+of%0Amine'}}}")) {
      refused(() -> AddedProfiles.ofLine(line, spec, false, environment));
    }
  }

  private static void refused(ThrowableAssert.ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("what your variable MY_TOKEN holds")
        .hasMessageNotContaining("rd of");
  }

  /** As it would appear in the sweep file. */
  @Test
  @Tag("people")
  void aLineInBracesIsAProfileToo() throws Exception {
    assertThat(AddedProfiles.ofLine("{mine: {env: {NCCL_PROTO: LL}}}", spec, false, Map.of()))
        .containsExactly(Profile.of("mine", Map.of(), Map.of("NCCL_PROTO", "LL"), Map.of()));
    assertThat(
            AddedProfiles.ofLine(
                "profiles: {mine: {env: {NCCL_PROTO: LL}}}", spec, false, Map.of()))
        .as("as in a file of profiles")
        .containsExactly(Profile.of("mine", Map.of(), Map.of("NCCL_PROTO", "LL"), Map.of()));
    assertThat(AddedProfiles.ofLine("mine: {env: {NCCL_PROTO: LL}}", spec, false, Map.of()))
        .containsExactly(Profile.of("mine", Map.of(), Map.of("NCCL_PROTO", "LL"), Map.of()));
    assertThatThrownBy(
            () ->
                AddedProfiles.ofLine("{name: mine, env: {NCCL_PROTO: LL}}", spec, false, Map.of()))
        .hasMessageContaining("profile:1:8: ")
        .hasMessageNotContaining("'{name:'");
    assertThatThrownBy(() -> AddedProfiles.ofLine("{mine: {evn: {A: b}}}", spec, false, Map.of()))
        .hasMessageContaining("profile:1:9: ")
        .hasMessageContaining("did you mean 'env'?");
  }

  @Test
  @Tag("people")
  void aValueWithSpacesStandsInQuotes() throws Exception {
    assertThat(line("mine UCX_A=\"-S 2M \\\"x\\\" \\\\ $HOME\" UCX_B=x UCX_C={\"a\":1}"))
        .containsExactly(
            Profile.of(
                "mine",
                Map.of(),
                Map.of("UCX_A", "-S 2M \"x\" \\ $HOME", "UCX_B", "x", "UCX_C", "{\"a\":1}"),
                Map.of()));
    assertThatThrownBy(() -> line("mine UCX_A=-S 2M"))
        .hasMessageContaining("profile:1:15: found '2M'")
        .hasMessageContaining("'name=\"value\"' where the value has spaces");
  }

  /** People paste what they have been shown. */
  @Test
  @Tag("people")
  void theLineOfAProfileIsReadAsTheSameSettings() throws Exception {
    for (String value :
        List.of("4", "", "-n -m /x", "a \"b\" 'c'", "$HOME \\ `x`", "\"", "\"a b\"", "\\")) {
      sameAfterALine(
          Profile.of(
              "mine", Map.of(AG, "1024"), Map.of("UCX_A", value), Map.of("remat_policy", value)),
          "again " + AG + "=1024 UCX_A=");
    }
    sameAfterALine(
        Profile.of("mine", Map.of(), Map.of("http_proxy", "a 'b' \"c\""), Map.of()), "{\"again\"");
    sameAfterALine(
        Profile.of("mine", Map.of(), Map.of(), Map.of("remat_policy", "a\nb")), "{\"again\"");
    Profile restored =
        new Profile(
            "mine",
            Profile.Base.NO_ENV,
            new TreeMap<>(),
            new TreeMap<>(Map.of("UCX_A", "1")),
            new TreeMap<>(),
            List.of());
    sameAfterALine(restored, "{\"again\"");
  }

  private void sameAfterALine(Profile profile, String beginning) throws Exception {
    String line = AddedProfiles.line("again", profile);
    assertThat(line).startsWith(beginning);
    assertThat(line(line))
        .singleElement()
        .satisfies(again -> assertThat(again.canonical()).isEqualTo(profile.canonical()));
  }

  @Test
  void aFileHoldsSeveral() throws Exception {
    assertThat(
            file(
                """
                profiles:
                  one: {flags: {%s: 805306368}}
                  two: {env: {NCCL_PROTO: LL}, base: no-env}
                """
                    .formatted(AG)))
        .extracting(Profile::name)
        .containsExactly("one", "two");
  }

  @Test
  void faultsOfAFileStandAtTheirPlaces() {
    assertThatThrownBy(
            () ->
                file(
                    """
                    profiles:
                      one: {flags: {%s: 1G}}
                      one-more: {flagz: {a: 1}}
                    policy: {}
                    """
                        .formatted(AG)))
        .hasMessageContaining("more.yaml:3:14: unknown key 'flagz'")
        .hasMessageContaining("did you mean 'flags'?")
        .hasMessageContaining("more.yaml:4:1: unknown key 'policy'");
    assertThatThrownBy(() -> file("profiles:\n  one: {flags: {" + AG + ": many}}\n"))
        .hasMessageContaining("more.yaml:2:")
        .hasMessageContaining(AG + " is 'many'");
    assertThatThrownBy(
            () -> AddedProfiles.ofFile(directory.resolve("none.yaml"), spec, false, Map.of()))
        .hasMessageContaining("none.yaml: there is no file");
  }

  @Test
  void faultsOfALineStandAtTheirColumns() {
    assertThatThrownBy(() -> line("mine"))
        .hasMessageContaining("profile:1:1: found 'mine'; expected a name and what it sets");
    assertThatThrownBy(() -> line("mine NCCL_PROTO"))
        .hasMessageContaining("profile:1:6: found 'NCCL_PROTO'; expected 'name=value'");
    assertThatThrownBy(() -> line("mine -xla_gpu=1")).hasMessageContaining("profile:1:6");
    assertThatThrownBy(() -> line("mine steps=20"))
        .hasMessageContaining("profile:1:12: ")
        .hasMessageContaining("nightsweep validate");
    assertThatThrownBy(() -> line("mine Steps-total=20"))
        .hasMessageContaining("profile:1:6: unknown setting of maxtext 'Steps-total'");
    assertThatThrownBy(() -> line("baseline-deployed NCCL_PROTO=LL"))
        .hasMessageContaining("is the sweep's own");
  }

  @Test
  void aMisspeltFlagIsRefusedUnlessItIsMeant() throws Exception {
    String misspelt = AG.replace("combine", "combin") + "=805306368";
    assertThatThrownBy(() -> line("mine " + misspelt))
        .hasMessageContaining("profile:1:6: no catalog has the flag")
        .hasMessageContaining("did you mean '" + AG + "'?");
    assertThat(AddedProfiles.ofLine("mine " + misspelt, spec, true, Map.of())).hasSize(1);
  }

  @Test
  void aShapeThatMaxTextDoesNotStartWithIsRefused() {
    assertThatThrownBy(() -> line("mine num_pipeline_microbatches=4"))
        .hasMessageContaining("a job cannot start with the overrides of 'mine'");
  }

  @Test
  void aSecretIsRefusedAndNotRepeated() {
    String token = "ghp_" + "a1b2c3d4".repeat(5);
    assertThatThrownBy(() -> line("mine NCCL_X=" + token))
        .hasMessageContaining("has the form of a secret")
        .hasMessageNotContaining(token);
  }

  private List<Profile> line(String words) throws InvalidInputException {
    return AddedProfiles.ofLine(words, spec, false, Map.of());
  }

  private List<Profile> file(String text) throws IOException, InvalidInputException {
    Path file = directory.resolve("more.yaml");
    Files.writeString(file, text);
    return AddedProfiles.ofFile(file, spec, false, Map.of());
  }
}
