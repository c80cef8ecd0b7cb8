package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.plan.Resources.Kind;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.StopTriggers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every packed file reads without a problem. */
@Tag("sweep")
class PackedFilesTest {
  private static final Resources PACKED = Resources.beside(Path.of("nowhere/sweep.yaml"));

  static Collection<String> catalogs() {
    return PACKED.names(Kind.CATALOG);
  }

  static Collection<String> playbooks() {
    return PACKED.names(Kind.PLAYBOOK);
  }

  @ParameterizedTest
  @MethodSource("catalogs")
  void aCatalogReads(String name) {
    Problems problems = new Problems();
    Catalog catalog =
        new CatalogFile(Map.of("PP", "8"), problems)
            .read(name, PACKED.find(Kind.CATALOG, name).orElseThrow());
    assertThat(problems.all()).isEmpty();
    assertThat(catalog.entries())
        .isNotEmpty()
        .allSatisfy(
            e -> {
              assertThat(e.candidates()).isNotEmpty();
              assertThat(e.candidates()).allSatisfy(p -> assertThat(p.name()).hasSizeLessThan(50));
              assertThat(e.about()).isNotBlank();
            });
  }

  @ParameterizedTest
  @MethodSource("playbooks")
  void aPlaybookReads(String name) {
    Problems problems = new Problems();
    Playbook playbook = playbook(name, problems);
    assertThat(problems.all()).isEmpty();
    assertThat(playbook.remedyFor("success").then()).isEqualTo(Remedy.Then.ACCEPT);
    // Noise may double one run's speed; a broken program is as fast in the next run too.
    assertThat(playbook.remedyFor("implausible").then()).isEqualTo(Remedy.Then.RESUBMIT);
    assertThat(playbook.remedyFor("implausible").afterLimit()).isEqualTo(Remedy.Then.SET_ASIDE);
    assertThat(playbook.remedyFor("nobody-knows").afterLimit()).isEqualTo(Remedy.Then.SET_ASIDE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"maxtext-rocm", "maxtext-cuda"})
  void everyFailureClassHasARemedyOfItsOwn(String name) {
    assertThat(playbook(name, new Problems()).remedies())
        .containsKeys(
            ("success soft-success unknown-flag flag-value oom-gpu oom-host rccl-init-flake nccl-error"
                    + " coordination-timeout heartbeat-lost nic-fault gpu-fault"
                    + " rccl-memory-starved node-down node-fail prolog-kill container-image"
                    + " image-missing controller-down checkout-5xx model-config xla-compile slow-compile slow-compile-baseline"
                    + " checkpoint stage-timeout hang-before-memstats hang-before-step0"
                    + " hang-after-step0 runaway-log time-limit cancelled nan-loss no-gpu"
                    + " port-unavailable ray-race checkout-failed disk-full container-start"
                    + " launch-failed driver-mismatch download-failed storage-error"
                    + " program-error implausible unclassified")
                .split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"maxtext-rocm", "maxtext-cuda"})
  void everyClassThatALogOrAnEndCanTellOfHasSignatures(String name) {
    List<String> recognised =
        playbook(name, new Problems()).recognition().classes().stream().map(c -> c.id()).toList();
    // A failure without a match is unclassified; implausible is determined from other runs'
    // figures, and three classes by the workload, which knows its own pattern.
    Set<String> ofNoLog =
        Set.of("unclassified", "implausible", "no-measurement", "too-few-steps", "crashed");
    assertThat(playbook(name, new Problems()).remedies().keySet())
        .allSatisfy(
            id -> assertThat(recognised.contains(id)).as(id).isNotEqualTo(ofNoLog.contains(id)));
  }

  @Test
  void aLimitOfAnExtendingPlaybookHoldsInInheritedSignatures(@TempDir Path folder)
      throws Exception {
    Files.createDirectories(folder.resolve("playbooks"));
    Files.writeString(
        folder.resolve("playbooks/quick.yaml"),
        "about: quick\nextends: common\n"
            + "limits: {no-step: 2s, step-times: 2.5, step-floor: 7s, log: 1MB}\n");
    Problems problems = new Problems();
    Playbook quick =
        new PlaybookFile(Resources.beside(folder.resolve("sweep.yaml")), problems)
            .read("quick", Place.startOf("sweep.yaml"));
    assertThat(problems.all()).isEmpty();
    assertThat(clues(quick, "hang-after-step0"))
        .contains(
            new Clue.Silence(
                Duration.ofSeconds(2), Optional.of(new Clue.Overdue(2.5, Duration.ofSeconds(7)))));
    assertThat(clues(quick, "hang-before-memstats"))
        .contains(new Clue.Silence(Duration.ofSeconds(2)));
    assertThat(clues(quick, "runaway-log")).contains(new Clue.Grown(1_000_000));
  }

  @Test
  void aPatternThatWillNotDoIsToldWithItsPlace(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("playbooks"));
    Files.writeString(
        folder.resolve("playbooks/bad.yaml"),
        """
        about: bad
        limits: {mine: 3m, much: 5MB, little: 0.5}
        classes:
          a:
            signatures:
              - {log: '(x'}
              - {log: '^x'}
              - {log: 'x*'}
              - {silence: mien}
              - {seen: nothing}
              - {silence: mine, times: mine, floor: much}
        """);
    Problems problems = new Problems();
    new PlaybookFile(Resources.beside(folder.resolve("sweep.yaml")), problems)
        .read("bad", Place.startOf("sweep.yaml"));
    assertThat(problems.all().stream().map(Object::toString).toList())
        .hasSize(8)
        .satisfiesExactly(
            m -> assertThat(m).contains("2:39").contains("little").contains("from 1 to 1000"),
            m -> assertThat(m).contains("6").contains("(x"),
            m -> assertThat(m).contains("7").contains("unanchored"),
            m -> assertThat(m).contains("8").contains("every line"),
            m -> assertThat(m).contains("9").contains("mine"),
            m -> assertThat(m).contains("10").contains("nothing"),
            m -> assertThat(m).contains("2:16").contains("mine").contains("3m").contains("number"),
            m -> assertThat(m).contains("2:26").contains("much").contains("5MB"));
  }

  @Test
  void aMisspeltActionIsToldWithTheNearestName(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("playbooks"));
    Files.writeString(
        folder.resolve("playbooks/bad.yaml"),
        """
        about: bad
        extends: common
        otherwise: {steps: [{do: reset-nik, timeout: 1m}], then: resubmit}
        """);
    Problems problems = new Problems();
    new PlaybookFile(Resources.beside(folder.resolve("sweep.yaml")), problems)
        .read("bad", Place.startOf("sweep.yaml"));
    assertThat(problems.all().stream().map(Object::toString))
        .singleElement()
        .satisfies(m -> assertThat(m).contains("3:26").contains("reset-nik").contains("reset-nic"));
  }

  /** The schema lists only existing actions, and the packed playbooks use each. */
  @Test
  void theSchemaNamesTheActionsThatPlaybooksUse() throws Exception {
    JsonNode schema =
        new JsonMapper().readTree(Resources.packed("playbooks/playbook.schema.json").orElseThrow());
    List<String> named =
        schema.findValues("do").stream()
            .flatMap(action -> action.path("enum").valueStream())
            .map(JsonNode::asText)
            .toList();
    assertThat(
            playbooks().stream()
                .flatMap(name -> playbook(name, new Problems()).remedies().values().stream())
                .flatMap(remedy -> remedy.steps().stream())
                .map(Remedy.RemedyStep::action))
        .containsOnly(named.toArray(String[]::new));
  }

  private static List<Clue> clues(Playbook playbook, String id) {
    return playbook.recognition().classes().stream()
        .filter(c -> c.id().equals(id))
        .flatMap(c -> c.signatures().stream())
        .flatMap(s -> s.clues().stream())
        .toList();
  }

  /**
   * The procedure: after three flaky failures in a row the profile is dropped; after two timeouts
   * the sweep halts.
   */
  @Test
  void theProceduresLimitsAreKept() {
    Playbook playbook = playbook("maxtext-rocm", new Problems());
    Remedy flake = playbook.remedyFor("rccl-init-flake");
    assertThat(flake.limit()).isEqualTo(2);
    assertThat(flake.consecutive()).isTrue();
    assertThat(flake.afterLimit()).isEqualTo(Remedy.Then.SET_ASIDE);
    Remedy timeout = playbook.remedyFor("coordination-timeout");
    assertThat(timeout.limit()).isEqualTo(1);
    assertThat(timeout.afterLimit()).isEqualTo(Remedy.Then.HALT);
    assertThat(playbook.remedyFor("oom-gpu").then()).isEqualTo(Remedy.Then.DROP_PROFILE);
    assertThat(playbook.remedyFor("node-down").steps().getLast().tries()).isEqualTo(2);
  }

  /** "Read journalctl -k ... on the host", before the one further try. */
  @ParameterizedTest
  @ValueSource(strings = {"maxtext-rocm", "maxtext-cuda"})
  void ofAHostOutOfMemoryItsKernelsLogIsKept(String name) {
    Remedy remedy = playbook(name, new Problems()).remedyFor("oom-host");
    assertThat(remedy.steps())
        .extracting(Remedy.RemedyStep::action)
        .containsExactly("collect-dmesg");
    assertThat(remedy.then()).isEqualTo(Remedy.Then.RESUBMIT);
    assertThat(remedy.limit()).isEqualTo(1);
    assertThat(remedy.afterLimit()).isEqualTo(Remedy.Then.HALT);
  }

  @Test
  void whatAPlaybookSaysItselfWinsOverWhatItInherits() {
    assertThat(playbook("kernels", new Problems()).remedyFor("oom-host").then())
        .isEqualTo(Remedy.Then.DROP_PROFILE);
    assertThat(playbook("common", new Problems()).remedyFor("oom-host").then())
        .isEqualTo(Remedy.Then.RESUBMIT);
  }

  @Test
  void aFileBesideTheSweepWinsOverThePackedOne(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("playbooks"));
    Files.writeString(
        folder.resolve("playbooks/kernels.yaml"),
        "about: mine\nextends: common\nstop: {failedNodesPerWave: 0}\notherwise: {then: halt}\n");
    Problems problems = new Problems();
    Playbook own =
        new PlaybookFile(Resources.beside(folder.resolve("sweep.yaml")), problems)
            .read("kernels", Place.startOf("sweep.yaml"));
    assertThat(problems.all()).isEmpty();
    assertThat(own.remedyFor("nobody-knows").then()).isEqualTo(Remedy.Then.HALT);
    assertThat(own.remedies()).containsKey("oom-gpu");
    assertThat(own.stop()).isEqualTo(new StopTriggers(4, 0));
  }

  @Test
  void theNamesThatMessagesOfferAreThePackedOnes() {
    assertThat(List.copyOf(PACKED.names(Kind.PLAN))).containsExactly("kernels", "xla-tuning");
  }

  private static Playbook playbook(String name, Problems problems) {
    return new PlaybookFile(PACKED, problems).read(name, Place.startOf("sweep.yaml"));
  }
}
