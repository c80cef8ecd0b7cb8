package io.nightsweep.plan;

import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Remedy.RemedyScope;
import io.nightsweep.sweep.Remedy.RemedyStep;
import io.nightsweep.sweep.Remedy.Then;
import io.nightsweep.sweep.StopTriggers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reads {@code playbooks/*.yaml}: remedies and signatures, including those that a playbook
 * inherits.
 */
final class PlaybookFile {
  /**
   * The remedy where no playbook has one: run once more, then set the profile aside and notify
   * people.
   */
  private static final Remedy OTHERWISE =
      Remedy.of(Then.RESUBMIT, 1, RemedyScope.PROFILE, Then.SET_ASIDE);

  /** How long to wait for an approval where the playbook does not say. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Resources resources;
  private final Problems problems;
  private final Set<String> packed = new LinkedHashSet<>();

  PlaybookFile(Resources resources, Problems problems) {
    this.resources = resources;
    this.problems = problems;
  }

  Playbook read(String name, Place namedAt) {
    TreeMap<String, Remedy> remedies = new TreeMap<>();
    LinkedHashMap<String, Yaml.Mapping> layers = new LinkedHashMap<>();
    Optional<Remedy> otherwise = read(name, namedAt, remedies, layers, new LinkedHashSet<>());
    refuseMissingClasses(name, layers);
    refuseVainClasses(layers);
    return new Playbook(
        name,
        remedies,
        otherwise.orElse(OTHERWISE),
        new RecognitionForm(List.copyOf(layers.sequencedValues()), packed, problems).read(),
        new StopTriggers(
            stop(layers, "sameFailureProfiles").orElse(StopTriggers.DEFAULT.sameFailureProfiles()),
            stop(layers, "failedNodesPerWave").orElse(StopTriggers.DEFAULT.failedNodesPerWave())));
  }

  /** Every playbook must have these classes, since the daemon's own rules use them. */
  private void refuseMissingClasses(String name, SequencedMap<String, Yaml.Mapping> layers) {
    if (!problems.isEmpty()) {
      return;
    }
    TreeSet<String> missing = new TreeSet<>(KnownClasses.ALL);
    layers.values().forEach(l -> missing.removeAll(l.mapping("classes").entries().keySet()));
    if (!missing.isEmpty()) {
      problems.add(
          Objects.requireNonNull(layers.get(name)).place(),
          "playbook '" + name + "' has no class " + String.join(", ", missing),
          "expected each class that the daemon itself names: add 'extends: common', or the class under 'classes'");
    }
  }

  /** No failure comes to a class that no signature tells and the daemon does not name. */
  private void refuseVainClasses(SequencedMap<String, Yaml.Mapping> layers) {
    TreeSet<String> told = new TreeSet<>(KnownClasses.ALL);
    layers.values().stream()
        .map(layer -> layer.mapping("classes"))
        .forEach(
            classes ->
                classes.entries().keySet().stream()
                    .filter(id -> !classes.mapping(id).items("signatures").isEmpty())
                    .forEach(told::add));
    for (Yaml.Mapping layer : layers.values()) {
      Yaml.Mapping classes = layer.mapping("classes");
      classes.entries().keySet().stream()
          .filter(id -> !told.contains(id))
          .forEach(
              id ->
                  problems.add(
                      new Problem(
                          classes.mapping(id).place(),
                          "nothing recognises the class '" + id + "'",
                          "expected signatures, or a class of the daemon or of an extended playbook",
                          Nearest.to(id, told))));
    }
  }

  /** A limit from the playbook, or from the first of its ancestors that sets it. */
  private static Optional<Integer> stop(SequencedMap<String, Yaml.Mapping> layers, String key) {
    return layers.values().stream()
        .flatMap(layer -> layer.mapping("stop").scalar(key).stream())
        .findFirst()
        .flatMap(Values::integer);
  }

  /** The names of the playbook and its ancestors, in this order. */
  List<String> chain(String name, Place namedAt) {
    LinkedHashMap<String, Yaml.Mapping> layers = new LinkedHashMap<>();
    read(name, namedAt, new TreeMap<>(), layers, new LinkedHashSet<>());
    return List.copyOf(layers.sequencedKeySet());
  }

  private Optional<Remedy> read(
      String name,
      Place namedAt,
      SortedMap<String, Remedy> remedies,
      SequencedMap<String, Yaml.Mapping> layers,
      Set<String> above) {
    if (!above.add(name)) {
      problems.add(
          namedAt, "playbook '" + name + "' extends itself", "expected no circle of 'extends'");
      return Optional.empty();
    }
    Optional<Resources.ResourceText> source = resources.find(Resources.Kind.PLAYBOOK, name);
    if (source.isEmpty()) {
      problems.add(
          Problem.unknown(namedAt, "playbook", name, resources.names(Resources.Kind.PLAYBOOK)));
      return Optional.empty();
    }
    // Several ancestors may extend the same playbook.
    Yaml.Mapping known = layers.get(name);
    Yaml.Mapping root = known != null ? known : checked(source.get());
    layers.putIfAbsent(name, root);
    Yaml.Mapping classes = root.mapping("classes");
    for (String id : classes.entries().keySet()) {
      if (classes.mapping(id).get("remedy").isPresent()) {
        remedies.putIfAbsent(id, remedy(classes.mapping(id).mapping("remedy")));
      }
    }
    Optional<Remedy> inherited = Optional.empty();
    for (Yaml.Scalar parent : root.scalars("extends")) {
      Optional<Remedy> its = read(parent.text(), parent.place(), remedies, layers, above);
      inherited = inherited.or(() -> its);
    }
    above.remove(name);
    Optional<Remedy> otherwise = inherited;
    return root.get("otherwise").map(o -> remedy(root.mapping("otherwise"))).or(() -> otherwise);
  }

  private Yaml.Mapping checked(Resources.ResourceText source) {
    Problems own = new Problems();
    Yaml.Mapping root = YamlReader.read(source, own);
    // Packed playbooks are checked by a test instead, since a check takes as long as reading.
    if (source.isPacked()) {
      packed.add(source.file());
    } else if (own.isEmpty()) {
      SchemaCheck.PLAYBOOK.check(root, own);
      refuseVainApprovals(root, own);
    }
    own.all().forEach(problems::add);
    return root;
  }

  /** Refuses approvals for steps that the daemon carries out without asking. */
  private static void refuseVainApprovals(Yaml.Mapping root, Problems problems) {
    Yaml.Mapping classes = root.mapping("classes");
    Stream.concat(
            classes.entries().keySet().stream().map(id -> classes.mapping(id).mapping("remedy")),
            Stream.of(root.mapping("otherwise")))
        .flatMap(remedy -> remedy.items("steps").stream())
        .filter(Yaml.Mapping.class::isInstance)
        .map(Yaml.Mapping.class::cast)
        .filter(step -> step.text("do").filter(RemedyStep.NEVER_ASKED::contains).isPresent())
        .forEach(
            step ->
                step.scalar("approval")
                    .filter(Values::isTrue)
                    .ifPresent(
                        approval ->
                            problems.add(
                                approval.place(),
                                "'approval' on the step '" + step.text("do").orElse("") + "'",
                                "expected it on a step that runs outside the daemon, such as resume-node; nobody is asked about this one")));
  }

  /** A remedy; without a limit, one that resubmits applies once and any other always. */
  private static Remedy remedy(Yaml.Mapping remedy) {
    Then then = then(remedy, "then").orElse(Then.SET_ASIDE);
    return new Remedy(
        remedy.items("steps").stream()
            .filter(Yaml.Mapping.class::isInstance)
            .map(s -> step((Yaml.Mapping) s))
            .toList(),
        then,
        remedy
            .scalar("limit")
            .map(l -> Values.integer(l).orElse(Integer.MAX_VALUE))
            .orElse(then == Then.RESUBMIT ? 1 : Integer.MAX_VALUE),
        remedy
            .scalar("scope")
            .flatMap(s -> Values.constant(RemedyScope.class, s))
            .orElse(RemedyScope.PROFILE),
        remedy.scalar("consecutive").map(Values::isTrue).orElse(false),
        then(remedy, "afterLimit").orElse(then == Then.RESUBMIT ? Then.SET_ASIDE : then));
  }

  private static RemedyStep step(Yaml.Mapping step) {
    return new RemedyStep(
        step.text("do").orElse(""),
        Values.settings(step.mapping("with")),
        step.scalar("timeout").flatMap(Values::duration).orElse(Duration.ofMinutes(1)),
        approval(step),
        step.scalar("tries").flatMap(Values::integer).orElse(1),
        then(step, "onFailure").orElse(Then.HALT));
  }

  private static Optional<Remedy.Approval> approval(Yaml.Mapping step) {
    return step.scalar("approval").filter(Values::isTrue).isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Remedy.Approval(
                step.scalar("patience").flatMap(Values::duration).orElse(PATIENCE),
                step.scalar("unanswered").filter(u -> u.text().equals("approve")).isPresent()));
  }

  private static Optional<Then> then(Yaml.Mapping mapping, String key) {
    return mapping.scalar(key).flatMap(s -> Values.constant(Then.class, s));
  }
}
