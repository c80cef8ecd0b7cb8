package io.nightsweep.workload.command;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The values that a sweep file gives one setting, each at the first place that names it. */
final class SettingPlaces {
  private SettingPlaces() {}

  /**
   * @return places such as {@code profiles/p1/overrides/directory}, by value
   */
  static Map<String, String> of(SweepSpec spec, String key) {
    LinkedHashMap<String, String> places = new LinkedHashMap<>();
    put(places, spec.settings(), key, "workload/" + key);
    put(places, spec.settings(), Workload.VALIDATION + key, "workload/validation/" + key);
    spec.configTags()
        .forEach(tag -> put(places, tag.overrides(), key, "configTags/" + tag.name() + "/" + key));
    spec.profiles()
        .forEach(
            p -> put(places, p.overrides(), key, "profiles/" + p.name() + "/overrides/" + key));
    return places;
  }

  private static void put(
      Map<String, String> places, Map<String, String> values, String key, String place) {
    Optional.ofNullable(values.get(key)).ifPresent(value -> places.putIfAbsent(value, place));
  }
}
