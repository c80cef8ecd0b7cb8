package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.Replay;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Weather;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.maxtext.MaxText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A MaxText cell that cannot be started: the message names the place, and nothing is touched. */
@Tag("xla")
@Tag("slow")
class MaxTextBadInputTest {
  private static final String SWEEP =
      """
      model: tiny
      parallelism: FSDP=2
      slot: {nodelist: "n[1-2]"}
      workload:
        kind: maxtext
        repository: %s
      configTags:
        short: {max_target_length: 32}
      profiles:
        ag-1G: {flags: {--xla_gpu_all_gather_combine_threshold_bytes: 1073741824}}
      budget: {jobs: 60}
      """;

  @TempDir private Path folder;

  private Path repository;
  private StateDirectory state;

  @BeforeEach
  void copyTheRepository() throws Exception {
    repository = folder.resolve("repository");
    Process copy =
        new ProcessBuilder(
                "cp", "-a", Path.of("lab/maxtext").toAbsolutePath().toString(), "" + repository)
            .start();
    assertThat(copy.waitFor()).isZero();
    state = new StateDirectory(folder.resolve("state"));
    state.create();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          model: tiny         | model: tinny         | 1:8: there is no %s/configs/tinny.gpu.yml; expected one of tiny; did you mean 'tiny'?
          parallelism: FSDP=2 | parallelism: FSDP=3  | 2:14: the axes dcn_fsdp_parallelism=3 multiply to 3, and there are 2 nodes; expected axes that multiply
          parallelism: FSDP=2 | parallelism: PP=2,FSDP=2 | 2:14: the axes dcn_fsdp_parallelism=2 x dcn_pipeline_parallelism=2 multiply to 4, and there are 2 nodes
          parallelism: FSDP=2 | parallelism: FSDP=2,TP=3 | 2:14: the axes ici_tensor_parallelism=3 multiply to 3, and there are 1 devices on a node
          'repository: %s'    | 'repository: %s/configs' | 6:15: no submit.sh that can be run in %s/configs; set workload.repository to the maxtext-slurm repository
          short: {max_target_length: 32} | short: {a_long_setting_of_the_model_1: 1, a_long_setting_of_the_model_2: x/y} | 8:3: baseline-deployed on short: a_long_setting_of_the_model_2=x/y: the launcher makes a file name of it, which cannot hold that
          """)
  void whatTheRepositoryCannotRunIsSaidAtItsPlace(String line, String spoilt, String expected)
      throws IOException {
    String text = SWEEP.formatted(repository);
    String bad = text.replace(filled(line), filled(spoilt));
    assertThat(bad).isNotEqualTo(text);
    assertThat(refused(bad, ExitCode.UNFIT)).startsWith("sweep.yaml:" + filled(expected));
  }

  @Test
  void aModelWithoutABatchSizeIsToldWhereToGetOne() throws IOException {
    Path config = repository.resolve("configs/tiny.gpu.yml");
    Files.writeString(
        config, Files.readString(config).replace("per_device_batch_size: 8", "# no batch size"));
    assertThat(refused(SWEEP.formatted(repository), ExitCode.UNFIT).strip())
        .isEqualTo(
            "sweep.yaml:1:8: configs/tiny.gpu.yml has no per_device_batch_size; find it by a"
                + " batch-size sweep first, and set workload.per_device_batch_size");
  }

  @Test
  void aJobNameThatNoFileCanHaveIsFoundBeforeItIsSubmitted() throws IOException {
    StringBuilder many = new StringBuilder("a: {");
    for (int i = 0; i < 9; i++) {
      many.append("some_long_setting_of_the_profile_").append(i).append(": 1, ");
    }
    String text =
        SWEEP.formatted(repository).replace("  ag-1G: {", "  " + many + "x_y: 1}\n  ag-1G: {");
    assertThat(refused(text, ExitCode.INVALID_INPUT)).contains("sweep.yaml:10:");
    String overrides =
        text.replace("a: {some", "a: {overrides: {some").replace("x_y: 1}", "x_y: 1}}");
    // Only the profile is dropped: the sweep can start, and says so.
    assertThat(warned(overrides))
        .contains(
            "sweep.yaml:10:3: a on short: the job name would be ",
            " bytes, and a file name holds 243");
  }

  @Test
  void aFlagThatLooksMisspeltIsDoubtedAndLeftToTheProbe() throws IOException {
    String text = SWEEP.formatted(repository);
    assertThat(warned(text)).doesNotContain("no catalog has");
    assertThat(
            warned(text.replace("combine_threshold_bytes", "combine_treshold_bytes"))
                .lines()
                .filter(l -> l.contains("no catalog has")))
        .containsExactly(
            "warning  sweep.yaml:10:19: no catalog has the flag"
                + " '--xla_gpu_all_gather_combine_treshold_bytes'; the build is asked before the"
                + " first wave; did you mean '--xla_gpu_all_gather_combine_threshold_bytes'?");
  }

  /** XLA would abort the probe of all flags, and each job of the profile. */
  @Test
  void aValueThatTheFlagCannotParseIsRefusedAtItsPlace() throws IOException {
    String text = SWEEP.formatted(repository);
    assertThat(refused(text.replace("1073741824", "1G"), ExitCode.INVALID_INPUT).strip())
        .isEqualTo(
            "sweep.yaml:10:65: --xla_gpu_all_gather_combine_threshold_bytes is '1G';"
                + " expected a number of bytes such as 1073741824");
    assertThat(refused(text.replace("1073741824", "9".repeat(20)), ExitCode.INVALID_INPUT))
        .contains("expected a number of bytes");
  }

  /** A job's environment is compared line by line with what was scheduled. */
  @Test
  void anEnvironmentOfMoreThanALineIsRefusedAtItsPlace() throws IOException {
    String text = SWEEP.formatted(repository);
    assertThat(
            refused(
                text.replace("configTags:", "  env: {MY_VAR: \"a\\nb\"}\nconfigTags:"),
                ExitCode.INVALID_INPUT))
        .startsWith("sweep.yaml:7:17: MY_VAR is 'a b'; expected a value of one line");
    assertThat(
            refused(
                text.replace("  ag-1G: {", "  red: {env: {MY_VAR: \"\\e[31mred\"}}\n  ag-1G: {"),
                ExitCode.INVALID_INPUT))
        .startsWith("sweep.yaml:10:23: MY_VAR is ' [31mred'; expected a value of one line");
  }

  @Test
  void aSettingThatNobodyHasIsNoneOfTheTrainings() throws IOException {
    assertThat(
            refused(
                SWEEP.formatted(repository).replace("configTags:", "  repositry: x\nconfigTags:"),
                ExitCode.INVALID_INPUT))
        .startsWith("sweep.yaml:7:3: unknown setting of maxtext 'repositry'")
        .contains("did you mean 'repository'?");
  }

  /** A readable checkout of the image's MaxText answers what otherwise only the probe job can. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          profiles: | profiles: {typo: {overrides: {remat_polcy: full}}} | 11:31: the MaxText in %s/image/amd has no setting 'remat_polcy'; correct it; did you mean 'remat_policy'?
          ray:      | inner_stps: 2 | 7:3: the MaxText in %s/image/amd has no setting 'inner_stps'; correct it; did you mean 'inner_steps'?
          ray:      | validation: {data_set_path: x} | 7:16: the MaxText in %s/image/amd has no setting 'data_set_path'; correct it
          short:    | short: {max_target_lngth: 32} | 10:11: the MaxText in %s/image/amd has no setting 'max_target_lngth'; correct it; did you mean 'max_target_length'?
          """)
  void aSettingThatTheMaxTextDoesNotHaveIsRefusedAtItsPlace(
      String key, String spoilt, String expected) throws IOException {
    String text = ofAMaxText("%s/image/amd");
    assertThat(warned(text)).doesNotContain("no setting");
    String bad = text.replaceFirst("(?m)^( *)" + key + ".*(\\R {2}ag-1G.*)?", "$1" + spoilt);
    assertThat(refused(bad, ExitCode.UNFIT).strip()).isEqualTo("sweep.yaml:" + filled(expected));
  }

  @Test
  void aFolderWithoutAMaxTextIsNone() throws IOException {
    assertThat(refused(ofAMaxText("%s/configs"), ExitCode.UNFIT).strip())
        .isEqualTo(
            filled(
                "sweep.yaml:8:12: there is no MaxText in %s/configs; name the folder that holds"
                    + " src/MaxText or src/maxtext, or remove the line"));
  }

  /** maxtext-slurm of June 2026 with a MaxText from after 20 February. */
  @Test
  void aLauncherThatCallsAnotherModuleThanTheMaxTextHasIsRefused() throws IOException {
    Files.writeString(
        repository.resolve("utils/monkey_patch_maxtext.py"),
        "    from MaxText import train as t\n");
    String said =
        filled(
            "sweep.yaml:8:12: the launcher calls main of MaxText.train, which the MaxText in"
                + " %s/image/amd does not have: every job would end before its first step; use an"
                + " image with a MaxText from before 20 February 2026 (maxtext-v0.2.0), or a"
                + " launcher that calls maxtext.trainers.pre_train.train");
    assertThat(refused(ofAMaxText("%s/image/amd"), ExitCode.UNFIT).strip()).isEqualTo(said);
    assertThat(warned(ofAMaxText("%s/image/amd")).lines().filter(l -> l.startsWith("FAULT")))
        .anySatisfy(
            l -> assertThat(l).contains("8:12: the launcher calls main of MaxText.train, which"));
    Path train = repository.resolve("image/amd/src/MaxText/train.py");
    Files.writeString(train, "def main(argv):\n");
    assertThat(warned(ofAMaxText("%s/image/amd"))).doesNotContain("calls main of");
  }

  /** An earlier sweep probed the same image. */
  @Test
  void aSettingThatAnEarlierProbeDidNotFindIsRefusedAtItsPlace() throws Exception {
    String typo =
        SWEEP
            .formatted(repository)
            .replace("  ag-1G:", "  typo: {overrides: {remat_polcy: full}}\n  ag-1G:");
    SweepSpec spec =
        SweepFile.load(Files.writeString(folder.resolve("sweep.yaml"), typo))
            .onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    SweepDirectory earlier = state.sweep("last-week");
    Files.createDirectories(earlier.root());
    Finding known =
        Finding.ofKnownSettings(
            AttemptId.parse("t0001a1"), Set.of("remat_policy", "max_target_length"), "probe.log");
    try (FileJournal journal = UnsyncedJournal.open(earlier.journal(), new Replay())) {
      Instant at = Instant.parse("2026-11-01T20:00:00Z");
      journal.append(
          at,
          List.of(
              Specs.night(
                      spec,
                      new DrawnSurface(Map.of(), 1000, Weather.calm(0.02), 3),
                      Duration.ofMinutes(4),
                      3)
                  .run()
                  .entries()
                  .getFirst()
                  .event(),
              new Event.InventoryTaken(new MaxText().open(folder).inventory(spec)),
              new Event.FindingMade(known)));
    }
    Typed said = start(typo);
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.err())
        .contains(
            "sweep.yaml:10:22: the MaxText that the probe job of ",
            " asked has no setting 'remat_polcy'; correct it, or, where the image has changed"
                + " since, name a checkout of its MaxText by workload.maxtext; did you mean"
                + " 'remat_policy'?");
    assertThat(warned(typo)).contains("has no setting 'remat_polcy'");
    String image = "  launcher: {DOCKER_IMAGE: \"other/jax:1\"}\nconfigTags:";
    assertThat(warned(typo.replace("configTags:", image)))
        .as("another image")
        .doesNotContain("no setting");
  }

  private String ofAMaxText(String path) {
    return SWEEP
        .formatted(repository)
        .replace("configTags:", "  ray: true\n  maxtext: " + filled(path) + "\nconfigTags:");
  }

  private String filled(String text) {
    return text.strip().replace("%s", repository.toString());
  }

  /** The message; asserts that nothing was started and the repository is unchanged. */
  private String refused(String text, int code) throws IOException {
    Map<String, String> before = contents(repository);
    Typed said = start(text);
    assertThat(said.code()).as(said.err()).isEqualTo(code);
    assertThat(contents(repository)).isEqualTo(before);
    assertThat(contents(state.root()).keySet()).noneMatch(f -> f.endsWith("journal.jsonl"));
    assertThat(said.out()).doesNotContain("started");
    return withoutTheCluster(said.err());
  }

  /** These tests have no Slurm: removes the messages that every one of them would get about it. */
  private static String withoutTheCluster(String said) {
    return said.lines()
        .filter(line -> !line.contains(Setup.NO_SLURM))
        .collect(Collectors.joining("\n"));
  }

  private String warned(String text) throws IOException {
    Path file = folder.resolve("sweep.yaml");
    Files.writeString(file, text);
    Typed said = say("doctor", "--cluster", "local", file.toString());
    return said.out();
  }

  private Typed start(String text) throws IOException {
    Path file = folder.resolve("sweep.yaml");
    Files.writeString(file, text);
    return say("start", "--cluster", "local", file.toString());
  }

  private Typed say(String... words) {
    return Typed.in(state.root(), words);
  }

  private static Map<String, String> contents(Path root) throws IOException {
    TreeMap<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.put(root.relativize(file).toString(), Files.readString(file));
      }
    }
    return all;
  }
}
