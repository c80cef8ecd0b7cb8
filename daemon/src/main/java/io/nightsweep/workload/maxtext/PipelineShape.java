package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.Profile;
import io.nightsweep.workload.Foresight;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A pipeline's shape, which alone determines its bubble.
 *
 * @param layersPerStage of one round
 * @param layers that go through the pipeline, where the sweep file tells
 * @see <a href="https://arxiv.org/abs/2104.04473">Narayanan et al. 2021, section 2.2</a>
 */
record PipelineShape(int stages, int microbatches, int layersPerStage, OptionalInt layers)
    implements Foresight {
  private static final String MICROBATCHES = "num_pipeline_microbatches";
  private static final String LAYERS_PER_STAGE = "num_layers_per_pipeline_stage";
  private static final String LAYERS = "pipeline_parallel_layers";

  /** The deployed shape; MaxText's own defaults where the sweep file does not tell. */
  static Optional<PipelineShape> of(Map<String, Integer> axes, Map<String, String> settings) {
    return Optional.ofNullable(axes.get("PP"))
        .filter(stages -> stages > 1)
        .map(
            stages ->
                new PipelineShape(
                    stages,
                    number(settings, MICROBATCHES).orElse(stages),
                    number(settings, LAYERS_PER_STAGE).orElse(1),
                    number(settings, LAYERS)));
  }

  /** How often a microbatch passes through all stages: V; 1 where the layers are not known. */
  int rounds() {
    return Math.max(1, layers.orElse(stages * layersPerStage) / (stages * layersPerStage));
  }

  /** The share of a step that stages spend waiting for the pipeline to fill and to drain. */
  double bubbleFraction() {
    return (stages - 1.0) / ((double) microbatches * rounds() + stages - 1.0);
  }

  /** Whether the profile leaves a shape in which every stage has whole rounds of layers. */
  @Override
  public boolean allows(Profile profile) {
    PipelineShape changed = with(profile);
    return !profile.overrides().containsKey(LAYERS_PER_STAGE)
        || layers.isEmpty()
        || layers.getAsInt() % (changed.stages * changed.layersPerStage) == 0;
  }

  /**
   * One sentence on the profiles whose bubble can be told beforehand; empty where there is none.
   */
  @Override
  public String predictions(List<Profile> profiles) {
    String each =
        profiles.stream()
            .filter(this::isPredictable)
            .map(p -> p.name() + " " + percent(with(p).bubbleFraction()))
            .collect(Collectors.joining(", "));
    return each.isEmpty()
        ? ""
        : "Predicted bubble: baseline " + percent(bubbleFraction()) + ", " + each + ".";
  }

  private boolean isPredictable(Profile profile) {
    return profile.overrides().containsKey(MICROBATCHES)
        || (profile.overrides().containsKey(LAYERS_PER_STAGE) && layers.isPresent());
  }

  private PipelineShape with(Profile profile) {
    return new PipelineShape(
        stages,
        number(profile.overrides(), MICROBATCHES).orElse(microbatches),
        number(profile.overrides(), LAYERS_PER_STAGE).orElse(layersPerStage),
        layers);
  }

  private static OptionalInt number(Map<String, String> settings, String key) {
    String value = settings.getOrDefault(key, "");
    return value.matches("[1-9][0-9]{0,6}")
        ? OptionalInt.of(Integer.parseInt(value))
        : OptionalInt.empty();
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }
}
