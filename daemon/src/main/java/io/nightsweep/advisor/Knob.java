package io.nightsweep.advisor;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A catalog entry with sizes in bytes as values, so that a value between two others makes sense.
 */
record Knob(Catalog.CatalogEntry entry) {

  static Optional<Knob> of(Catalog.CatalogEntry entry) {
    return entry.type() == Catalog.Type.BYTES && !entry.candidates().isEmpty()
        ? Optional.of(new Knob(entry))
        : Optional.empty();
  }

  /** The entry's value in the profile, if the profile sets nothing beyond what the entry sets. */
  Optional<Long> value(Profile profile) {
    Optional<Long> value = number(settings(profile).get(entry.setting()));
    return value.filter(v -> with(v).hash().equals(profile.hash()));
  }

  /** Whether the catalog allows a program to propose the profile's value. */
  boolean offers(Profile profile) {
    return entry.proposable().stream()
        .allMatch(range -> value(profile).stream().allMatch(range::holds));
  }

  Optional<Long> defaultValue() {
    return entry.defaultValue().flatMap(Knob::number).filter(v -> v > 0);
  }

  /** The entry at another value: the settings of its first candidate, with the new value. */
  Profile with(long value) {
    Profile first = entry.candidates().getFirst();
    String old = settings(first).getOrDefault(entry.setting(), "");
    return Profile.of(
        entry.id() + "-" + name(value),
        replaced(first.flags(), Catalog.Target.FLAG, old, value),
        replaced(first.env(), Catalog.Target.ENV, old, value),
        replaced(first.overrides(), Catalog.Target.OVERRIDE, old, value));
  }

  /** Other settings that the entry sets to the same value get the new value too. */
  private Map<String, String> replaced(
      SortedMap<String, String> settings, Catalog.Target target, String old, long value) {
    if (target != entry.target()) {
      return settings;
    }
    TreeMap<String, String> replaced = new TreeMap<>(settings);
    replaced.replaceAll((key, v) -> v.equals(old) ? Long.toString(value) : v);
    return replaced;
  }

  private SortedMap<String, String> settings(Profile profile) {
    return switch (entry.target()) {
      case FLAG -> profile.flags();
      case ENV -> profile.env();
      case OVERRIDE -> profile.overrides();
    };
  }

  private static String name(long bytes) {
    for (int power = 2; power > 0; power--) {
      long unit = 1L << (10 * power);
      if (bytes >= unit && bytes % unit == 0) {
        return bytes / unit + (power == 2 ? "M" : "K");
      }
    }
    return Long.toString(bytes);
  }

  private static Optional<Long> number(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Long.valueOf(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
