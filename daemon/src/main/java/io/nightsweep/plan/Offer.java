package io.nightsweep.plan;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Catalog.CatalogEntry;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The values that programs may propose for flags, variables or settings: those listed in a catalog,
 * both values of a boolean, those in a catalog's {@code proposable} range, and those in profiles of
 * the sweep file.
 */
final class Offer {
  /** How many values a message shows. */
  private static final int MOST_SHOWN = 8;

  private final Catalog.Target target;
  private final Map<String, TreeSet<String>> values = new TreeMap<>();
  private final Map<String, List<CatalogEntry>> entries = new TreeMap<>();

  private Offer(Catalog.Target target) {
    this.target = target;
  }

  /** What the sweep's catalogs and the profiles of its file offer. */
  static Offer of(SweepSpec spec, Catalog.Target target) {
    Offer offer = ofCatalogs(spec, target);
    spec.everyProfile().forEach(offer::take);
    return offer;
  }

  static Offer ofCatalogs(SweepSpec spec, Catalog.Target target) {
    Offer offer = new Offer(target);
    for (Catalog catalog : spec.catalogs()) {
      for (CatalogEntry entry : catalog.entries()) {
        if (entry.target() == target) {
          offer.entries.computeIfAbsent(entry.setting(), k -> new ArrayList<>()).add(entry);
          entry.defaultValue().ifPresent(value -> offer.take(entry.setting(), value));
        }
        entry.candidates().forEach(offer::take);
      }
    }
    return offer;
  }

  private void take(Profile profile) {
    SortedMap<String, String> settings =
        switch (target) {
          case FLAG -> profile.flags();
          case ENV -> profile.env();
          case OVERRIDE -> profile.overrides();
        };
    settings.forEach(this::take);
  }

  private void take(String setting, String value) {
    values.computeIfAbsent(setting, k -> new TreeSet<>()).add(value);
  }

  boolean knows(String setting) {
    return values.containsKey(setting) || entries.containsKey(setting);
  }

  /** Says what is expected in place of a value; empty where the value is offered. */
  Optional<Statement> misfit(String setting, String value) {
    TreeSet<String> listed = values.getOrDefault(setting, new TreeSet<>());
    List<CatalogEntry> of = entries.getOrDefault(setting, List.of());
    if (listed.contains(value) || of.stream().anyMatch(entry -> takes(entry, value))) {
      return Optional.empty();
    }
    List<Statement> expected = new ArrayList<>();
    if (!listed.isEmpty()) {
      expected.add(
          Statement.words(
              listed.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "))
                  + (listed.size() > MOST_SHOWN ? ", ..." : "")));
    }
    of.stream()
        .flatMap(entry -> entry.proposable().stream())
        .distinct()
        .forEach(
            r ->
                expected.add(
                    Statement.phrase(
                        expected.isEmpty() ? "gate-range" : "gate-or-range",
                        text(r.from()),
                        text(r.to()))));
    return Optional.of(Statement.row(", ", expected));
  }

  private static boolean takes(CatalogEntry entry, String value) {
    if (CatalogFile.misfit(entry.type(), value).isPresent()) {
      return false;
    }
    return switch (entry.type()) {
      case BOOLEAN -> true;
      case INTEGER, NUMBER, BYTES ->
          value.length() <= 20
              && entry
                  .proposable()
                  .filter(range -> range.holds(Double.parseDouble(value)))
                  .isPresent();
      case CHOICE, TEXT -> false;
    };
  }

  private static String text(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }
}
