package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
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
 * @param stages number of nodes times stages inside a node
 * @param layersPerStage in one round
 * @param layers in the pipeline, if the sweep file or the model's configuration says
 * @param batch sequences of one forward pass, which the microbatches share, if known
 * @param isDelayed whether a stage's output is sent one round later, which doubles the bubble
 * @param hasRepeats whether the number of rounds is fixed, so that no other number of layers per
 *     stage fits
 * @see <a href="https://arxiv.org/abs/2104.04473">Narayanan et al. 2021, section 2.2</a>
 */
record PipelineShape(
    int stages,
    int microbatches,
    int layersPerStage,
    OptionalInt layers,
    OptionalInt batch,
    boolean isDelayed,
    boolean hasRepeats)
    implements Foresight {
  private static final String MICROBATCHES = "num_pipeline_microbatches";
  private static final String LAYERS_PER_STAGE = "num_layers_per_pipeline_stage";
  private static final String LAYERS = "pipeline_parallel_layers";

  /** By default all the decoder's layers go through the pipeline, */
  private static final String DECODER_LAYERS = "base_num_decoder_layers";

  /** except the dense layers of a mixture-of-experts model. */
  private static final String DENSE_LAYERS = "first_num_dense_layers";

  private static final String REPEATS = "num_pipeline_repeats";
  private static final String DELAYED = "pipeline_delay_activation_forwarding";
  private static final String STAGES_OF_A_NODE = "ici_pipeline_parallelism";

  private static final Set<String> BETWEEN_NODES = Set.of("FSDP", "PP", "DP");

  /**
   * The deployed shape, with MaxText's own defaults. Empty where the parallelism has no pipeline.
   */
  static Optional<PipelineShape> of(Map<String, Integer> axes, Map<String, String> settings) {
    if (!axes.containsKey("PP")) {
      return Optional.empty();
    }
    int stages =
        (int)
            Math.min(
                Integer.MAX_VALUE / 2,
                (long) axes.get("PP") * number(settings, STAGES_OF_A_NODE).orElse(1));
    boolean isDelayed = settings.getOrDefault(DELAYED, "").equalsIgnoreCase("true");
    return Optional.of(
        new PipelineShape(
            stages,
            number(settings, MICROBATCHES).orElse(isDelayed ? 2 * stages : stages),
            number(settings, LAYERS_PER_STAGE).orElse(1),
            layers(settings),
            batch(axes, settings),
            isDelayed,
            number(settings, REPEATS).isPresent()));
  }

  private static OptionalInt layers(Map<String, String> settings) {
    OptionalInt told = number(settings, LAYERS);
    int others =
        number(settings, DECODER_LAYERS).orElse(0) - number(settings, DENSE_LAYERS).orElse(0);
    return told.isPresent() || others < 1 ? told : OptionalInt.of(others);
  }

  /**
   * Sequences of one forward pass: those of a device, possibly a fraction of one, times the
   * devices. Accumulated passes do not share microbatches.
   */
  private static OptionalInt batch(Map<String, Integer> axes, Map<String, String> settings) {
    String perDevice = settings.getOrDefault("per_device_batch_size", "");
    OptionalInt perNode = devicesPerNode(settings);
    if (!perDevice.matches("[0-9]{1,6}(\\.[0-9]{1,6})?") || perNode.isEmpty()) {
      return OptionalInt.empty();
    }
    long nodes =
        axes.entrySet().stream()
            .filter(axis -> BETWEEN_NODES.contains(axis.getKey()))
            .mapToLong(Map.Entry::getValue)
            .reduce(1, (x, y) -> x * y);
    int sequences = (int) (Double.parseDouble(perDevice) * perNode.getAsInt() * nodes);
    return sequences < 1 ? OptionalInt.empty() : OptionalInt.of(sequences);
  }

  private static OptionalInt devicesPerNode(Map<String, String> settings) {
    OptionalInt told = number(settings, "devicesPerNode");
    List<OptionalInt> axes =
        settings.keySet().stream()
            .filter(key -> key.startsWith("ici_") && key.endsWith("_parallelism"))
            .map(key -> number(settings, key))
            .toList();
    return told.isPresent()
            || !settings.containsKey(Axes.REST_OF_NODE)
            || axes.stream().anyMatch(OptionalInt::isEmpty)
        ? told
        : OptionalInt.of(axes.stream().mapToInt(OptionalInt::getAsInt).reduce(1, (x, y) -> x * y));
  }

  /**
   * How often a microbatch passes through all stages: V; 1 where the number of layers is unknown.
   */
  int rounds() {
    return (int) Math.max(1, layers.orElse(0) / ((long) stages * layersPerStage));
  }

  /** The share of a step in which stages wait for the pipeline to fill and drain. */
  double bubbleFraction() {
    double filling = (isDelayed ? 2 : 1) * (stages - 1.0);
    return filling / ((double) microbatches * rounds() + filling);
  }

  /**
   * Whether MaxText would accept the profile's shape, and it differs from the deployed one. Other
   * layers per stage are refused where the number of layers is unknown. A single stage has no
   * shape: MaxText then ignores both settings.
   *
   * @see <a href="https://github.com/AI-Hypercomputer/maxtext">its own checks, in {@code pyconfig}:
   *     whole microbatches for each stage, and two where a stage's output is delayed; whole
   *     sequences for each microbatch; whole rounds of layers, as many as are set</a>
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
            && (!isDelayed || changed.microbatches >= 2 * stages)
            && (batch.isEmpty() || batch.getAsInt() % changed.microbatches == 0);
    boolean wholeRounds =
        layers.isPresent()
            ? layers.getAsInt() % ((long) stages * changed.layersPerStage) == 0
            : !setsLayers;
    boolean keepsRounds = !hasRepeats || changed.layersPerStage == layersPerStage;
    boolean differs = !changed.equals(this) || profile.overrides().size() > 1;
    return stages > 1 && differs && wholeMicrobatches && wholeRounds && keepsRounds;
  }

  @Override
  public Statement why(Statement why, List<Profile> profiles) {
    String each =
        profiles.stream()
            .filter(this::isPredictable)
            .map(p -> p.name() + " " + percent(with(p).bubbleFraction()))
            .collect(Collectors.joining(", "));
    return each.isEmpty()
        ? why
        : Statement.phrase("why-bubble", why, percent(bubbleFraction()), each);
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
        batch,
        isDelayed,
        hasRepeats);
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
