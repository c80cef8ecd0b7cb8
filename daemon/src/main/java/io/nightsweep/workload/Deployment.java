package io.nightsweep.workload;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** How recipes are written down as bash that a deployment sources. */
public interface Deployment {
  /**
   * What was found best for one topology and config tag.
   *
   * @param axes the {@code *_parallelism} settings that it was measured with, by name; those that
   *     are missing are what the parallelism says, or 1
   * @param when the config tag's overrides
   * @param restoresDefaults whether it is measured without what the deployed file itself sets
   */
  record Recipe(
      String parallelism,
      String configTag,
      SortedMap<String, String> axes,
      SortedMap<String, String> when,
      SortedMap<String, String> flags,
      SortedMap<String, String> env,
      boolean restoresDefaults) {
    /** On top of what the deployed file sets, with no axis but the parallelism's own. */
    public Recipe(
        String parallelism,
        String configTag,
        SortedMap<String, String> when,
        SortedMap<String, String> flags,
        SortedMap<String, String> env) {
      this(parallelism, configTag, new TreeMap<>(), when, flags, env, false);
    }

    public Recipe {
      axes = Collections.unmodifiableSortedMap(new TreeMap<>(axes));
      when = Collections.unmodifiableSortedMap(new TreeMap<>(when));
      flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
      env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
    }
  }

  /**
   * The file that the patch is appended to; empty where the workload has no such file, so that the
   * patch is sourced wherever the environment of its jobs is made.
   */
  Optional<String> file(String model, String parallelism);

  /** The patch; of recipes for the same topology and tag the last counts. */
  String patch(String model, List<Recipe> recipes);

  /**
   * What has to stand at the top of the file where the image's defaults are best. Empty where they
   * are best nowhere.
   */
  Optional<String> top(String model, List<Recipe> recipes);
}
