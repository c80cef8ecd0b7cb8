package io.nightsweep.workload;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes recipes as bash, to be sourced by a deployment. */
public interface Deployment {
  /**
   * The best settings found for one topology and config tag.
   *
   * @param axes the {@code *_parallelism} settings of the measurement, by name; a missing one
   *     follows from the parallelism, or is 1
   * @param when the config tag's overrides
   * @param restoresDefaults whether it was measured without the settings of the deployed file
   */
  record Recipe(
      String parallelism,
      String configTag,
      SortedMap<String, String> axes,
      SortedMap<String, String> when,
      SortedMap<String, String> flags,
      SortedMap<String, String> env,
      boolean restoresDefaults) {
    /** A recipe on top of the deployed file's settings, with only the parallelism's own axes. */
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
   * The file to which the patch is appended; empty where the workload has no such file, so that
   * people source the patch where they create the jobs' environment.
   */
  Optional<String> file(String model, String parallelism);

  /** The patch; if several recipes are for the same topology and tag, the last one is used. */
  String patch(String model, List<Recipe> recipes);

  /** Text for the top of the file, needed where the image's defaults are best; else empty. */
  Optional<String> top(String model, List<Recipe> recipes);
}
