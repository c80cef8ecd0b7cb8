package io.nightsweep.plan;

import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Wave;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A plan as written, before conditions and selections are evaluated.
 *
 * @param candidates the most that all screening waves together choose from catalogs
 */
record PlanForm(String template, List<WaveForm> waves, Optional<Integer> candidates) {

  record WaveForm(
      Place place,
      String name,
      Wave.Kind kind,
      List<Yaml.Scalar> profiles,
      Optional<Select> select,
      Optional<Integer> split,
      List<Yaml.Scalar> conditions,
      Optional<Wave.When> when,
      Optional<Integer> repetitions,
      Statement why) {

    private WaveForm limited(int limit) {
      return new WaveForm(
          place,
          name,
          kind,
          profiles,
          select.map(s -> new Select(s.from(), s.parallelism(), Optional.of(limit))),
          split,
          conditions,
          when,
          repetitions,
          why);
    }
  }

  record Select(
      List<Yaml.Scalar> from, Optional<Yaml.Scalar> parallelism, Optional<Integer> limit) {}

  static PlanForm read(String template, Yaml.Mapping plan, Problems problems) {
    Map<String, Place> names = new HashMap<>();
    List<WaveForm> waves =
        plan.items("waves").stream()
            .filter(Yaml.Mapping.class::isInstance)
            .flatMap(w -> wave((Yaml.Mapping) w).stream())
            .toList();
    for (WaveForm wave : waves) {
      Place earlier = names.putIfAbsent(wave.name(), wave.place());
      if (earlier != null) {
        problems.add(
            wave.place(),
            "the wave '" + wave.name() + "' stands twice",
            "another is on line " + earlier.line());
      }
    }
    waves.stream()
        .filter(wave -> wave.split().isPresent())
        .forEach(wave -> keepForItsParts(wave.name(), names, problems));
    return new PlanForm(
        template, waves, plan.scalar("candidates").flatMap(Values::integer).filter(n -> n > 0));
  }

  /**
   * Reserves the names of the parts into which a wave is split; no other wave may have one of them.
   */
  private static void keepForItsParts(String name, Map<String, Place> names, Problems problems) {
    names.forEach(
        (other, place) -> {
          if (other.matches(Pattern.quote(name) + "-[0-9]+")) {
            problems.add(
                place,
                "the wave '" + other + "' has the name of a part of '" + name + "', which is split",
                "expected another name");
          }
        });
  }

  /** The same plan, with one wave limited to this many candidates. */
  PlanForm limited(String wave, int limit) {
    return new PlanForm(
        template,
        waves.stream().map(w -> w.name().equals(wave) ? w.limited(limit) : w).toList(),
        Optional.empty());
  }

  private static Optional<WaveForm> wave(Yaml.Mapping wave) {
    return wave.scalar("kind")
        .flatMap(s -> Values.constant(Wave.Kind.class, s))
        .flatMap(
            kind ->
                wave.scalar("name")
                    .map(
                        name ->
                            new WaveForm(
                                name.place(),
                                name.text(),
                                kind,
                                wave.scalars("profiles"),
                                wave.get("select").map(s -> select(wave.mapping("select"))),
                                wave.scalar("split").flatMap(Values::integer).filter(n -> n > 0),
                                wave.scalars("if"),
                                wave.scalar("when")
                                    .flatMap(s -> Values.constant(Wave.When.class, s)),
                                wave.scalar("repetitions")
                                    .flatMap(Values::integer)
                                    .filter(n -> n > 0),
                                wave.text("why").map(ShippedReasons::of).orElse(Statement.NONE))));
  }

  private static Select select(Yaml.Mapping select) {
    return new Select(
        select.scalars("from"),
        select.scalar("parallelism"),
        select.scalar("limit").flatMap(Values::integer).filter(n -> n > 0));
  }
}
