package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.Profile;
import io.nightsweep.workload.Foresight;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A pipeline's shape, which alone determines its bubble.
 *
 * @param layersPerStage of one round
 * @param layers that go through the pipeline, where the sweep file or the model's configuration
 *     tells
 * @param batch sequences of one step that the microbatches share, where that is known
 * @see <a href="https://arxiv.org/abs/2104.04473">Narayanan et al. 2021, section 2.2</a>
 */
record PipelineShape(
    int stages, int microbatches, int layersPerStage, OptionalInt layers, OptionalInt batch)
    implements Foresight {
  private static final String MICROBATCHES = "num_pipeline_microbatches";
  private static final String LAYERS_PER_STAGE = "num_layers_per_pipeline_stage";
  private static final String LAYERS = "pipeline_parallel_layers";

  /** All the decoder's layers go through the pipeline where nothing else is said. */
  private static final String DECODER_LAYERS = "base_num_decoder_layers";

  private static final Set<String> BETWEEN_NODES = Set.of("FSDP", "PP", "DP");

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
                    number(settings, LAYERS).isPresent()
                        ? number(settings, LAYERS)
                        : number(settings, DECODER_LAYERS),
                    batch(axes, settings)));
  }

  /** Sequences of one step: those of a device times the devices, over the accumulated parts. */
  private static OptionalInt batch(Map<String, Integer> axes, Map<String, String> settings) {
    OptionalInt perDevice = number(settings, "per_device_batch_size");
    OptionalInt perNode = devicesPerNode(settings);
    if (perDevice.isEmpty() || perNode.isEmpty()) {
      return OptionalInt.empty();
    }
    int nodes =
        axes.entrySet().stream()
            .filter(axis -> BETWEEN_NODES.contains(axis.getKey()))
            .mapToInt(Map.Entry::getValue)
            .reduce(1, (x, y) -> x * y);
    int parts = number(settings, "gradient_accumulation_steps").orElse(1);
    return OptionalInt.of(perDevice.getAsInt() * perNode.getAsInt() * nodes / parts);
  }

  private static OptionalInt devicesPerNode(Map<String, String> settings) {
    OptionalInt told = number(settings, "devicesPerNode");
    List<OptionalInt> axes =
        settings.keySet().stream()
            .filter(key -> key.startsWith("ici_") && key.endsWith("_parallelism"))
            .map(key -> number(settings, key))
            .toList();
    return told.isPresent() || axes.isEmpty() || axes.stream().anyMatch(OptionalInt::isEmpty)
        ? told
        : OptionalInt.of(axes.stream().mapToInt(OptionalInt::getAsInt).reduce(1, (x, y) -> x * y));
  }

  /** How often a microbatch passes through all stages: V; 1 where the layers are not known. */
  int rounds() {
    return Math.max(1, layers.orElse(stages * layersPerStage) / (stages * layersPerStage));
  }

  /** The share of a step that stages spend waiting for the pipeline to fill and to drain. */
  double bubbleFraction() {
    return (stages - 1.0) / ((double) microbatches * rounds() + stages - 1.0);
  }

  /**
   * Whether MaxText would start with the shape that the profile leaves, and it is not the deployed
   * one. Other layers per stage are not guessed where the layers are not known.
   *
   * @see <a href="https://github.com/AI-Hypercomputer/maxtext">its own checks, in {@code pyconfig}:
   *     whole microbatches for each stage, whole sequences for each microbatch, whole rounds of
   *     layers</a>
   */
  @Override
  public boolean allows(Profile profile) {
    boolean setsMicrobatches = profile.overrides().containsKey(MICROBATCHES);
    boolean setsLayers = profile.overrides().containsKey(LAYERS_PER_STAGE);
    if (!setsMicrobatches && !setsLayers) {
      return true;
    }
    PipelineShape changed = with(profile);
    boolean wholeMicrobatches =
        changed.microbatches % stages == 0
            && (batch.isEmpty() || batch.getAsInt() % changed.microbatches == 0);
    boolean wholeRounds =
        layers.isPresent()
            ? layers.getAsInt() % (stages * changed.layersPerStage) == 0
            : !setsLayers;
    boolean differs = !changed.equals(this) || profile.overrides().size() > 1;
    return differs && wholeMicrobatches && wholeRounds;
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
        layers,
        batch);
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
