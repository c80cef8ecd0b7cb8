package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pipeline shapes that the packed plan tries: MaxText can start with them, and none is deployed
 * or has been tried under another name.
 */
@Tag("shipped")
@Tag("slow")
class PipelineCandidatesTest {
  private static final String MODEL =
      """
      base_num_decoder_layers: 61
      first_num_dense_layers: 5
      per_device_batch_size: 8
      ici_fsdp_parallelism: 8
      """;

  @TempDir Path repository;

  /** Further settings of the model's configuration, and the shapes that are tried. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PP=8 |                                            | mb-x2=16, lps-7=7
          PP=8 | num_pipeline_microbatches: 16              | mb-x2=32, mb-half=8, lps-7=7
          PP=8 | num_pipeline_microbatches: -1              | mb-x2=16, lps-7=7
          PP=8 | num_pipeline_microbatches: 256             | mb-x2=512, mb-half=128, lps-7=7
          PP=8 | num_pipeline_microbatches: 512             | mb-half=256, lps-7=7
          PP=8 | pipeline_parallel_layers: 48               | mb-x2=16, lps-2=2, lps-3=3, lps-6=6
          PP=8 | num_pipeline_repeats: 7                    | mb-x2=16
          PP=8 | pipeline_delay_activation_forwarding: true | lps-7=7
          PP=4 | ici_pipeline_parallelism: 2                | lps-7=7
          PP=8 | per_device_batch_size: 0.125               | lps-7=7
          PP=8 | gradient_accumulation_steps: 3             | mb-x2=16, lps-7=7
          PP=4,FSDP=2 | num_pipeline_microbatches: 8        | mb-x2=16, mb-half=4, lps-2=2, lps-7=7, lps-14=14
          """)
  void areThoseThatMaxTextStartsWith(String parallelism, String said, String expected)
      throws Exception {
    String line = said == null ? "" : said;
    String own = line.replaceFirst(":.*", "");
    String others =
        MODEL.lines().filter(l -> own.isEmpty() || !l.startsWith(own + ":")).toList().stream()
            .reduce("", (text, l) -> text + l + "\n");
    model(others + line + "\n");
    SweepSpec spec = ShippedNights.spec(repository, parallelism, 1);
    assertThat(shapes(spec)).containsExactlyElementsOf(List.of(expected.split(", ")));
    assertNothingIsTriedTwice(spec);
    // The advisor's additions to the race come from here.
    assertThat(spec.catalogs())
        .filteredOn(catalog -> catalog.name().equals("maxtext-pipeline"))
        .flatExtracting(Catalog::entries)
        .flatExtracting(Catalog.CatalogEntry::candidates)
        .extracting(Profile::name)
        .isSubsetOf(spec.profiles().stream().map(Profile::name).toList());
  }

  /** Candidates are measured on the first tag, and its shape takes precedence over the model's. */
  @Test
  void startFromTheShapeOfTheFirstConfigTag() throws Exception {
    model(MODEL);
    SweepSpec spec =
        ShippedNights.spec(
            repository,
            "PP=8",
            2,
            text ->
                text.replaceFirst(
                    "(?m)^  sparse: .*", "  sparse: {num_pipeline_microbatches: 16}"));
    assertThat(spec.primaryTag().overrides()).containsEntry("num_pipeline_microbatches", "16");
    assertThat(shapes(spec)).containsExactly("mb-x2=32", "mb-half=8", "lps-7=7");
    assertNothingIsTriedTwice(spec);
  }

  @Test
  void areNoneWhereThePipelineHasOneStage() throws Exception {
    model(MODEL);
    SweepSpec spec = ShippedNights.spec(repository, "PP=1,FSDP=8", 1);
    assertThat(shapes(spec)).isEmpty();
    assertThat(spec.plan().notApplicable())
        .extracting(Plan.NotApplicable::wave)
        .contains("pipeline");
  }

  /** The product of 65536 stages and 65536 layers exceeds an int. */
  @Test
  void areCountedHoweverManyStagesAreWritten() throws Exception {
    model(MODEL + "num_layers_per_pipeline_stage: 65536\n");
    assertThat(shapes(ShippedNights.spec(repository, "PP=65536", 1))).isEmpty();
  }

  private void model(String text) throws Exception {
    Files.writeString(
        Files.createDirectories(repository.resolve("configs")).resolve("deepseek3-671b.gpu.yml"),
        text);
  }

  private static List<String> shapes(SweepSpec spec) {
    return spec.plan().waves().stream()
        .filter(w -> w.name().equals("pipeline"))
        .flatMap(w -> w.profiles().stream())
        .map(name -> name + "=" + String.join(",", profile(spec, name).overrides().values()))
        .toList();
  }

  private static void assertNothingIsTriedTwice(SweepSpec spec) {
    List<Profile> tried =
        Stream.concat(
                Stream.of(Profile.BASELINE),
                spec.plan().waves().stream()
                    .filter(w -> w.kind() == Wave.Kind.SCREEN)
                    .flatMap(w -> w.profiles().stream()))
            .map(name -> profile(spec, name))
            .toList();
    assertThat(tried).extracting(Profile::hash).doesNotHaveDuplicates();
  }

  private static Profile profile(SweepSpec spec, String name) {
    return spec.profile(name).orElseThrow();
  }
}
