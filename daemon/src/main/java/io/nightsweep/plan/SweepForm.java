package io.nightsweep.plan;

import io.nightsweep.files.Unseen;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Wave;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.WorkloadKind;
import io.nightsweep.workload.Workloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * A sweep file's content with the files it names.
 *
 * @param expanded the plan, once the parallelism is known
 */
record SweepForm(
    Optional<String> model,
    Optional<String> parallelism,
    Optional<SlotForm> slot,
    String workload,
    SortedMap<String, String> settings,
    Optional<Metric> metric,
    List<ConfigTag> configTags,
    BudgetForm budget,
    Policy policy,
    Playbook playbook,
    List<Catalog> catalogs,
    Optional<Expansion.Expanded> expanded) {

  /** Empty where the kind of workload is unknown, which is a problem already reported. */
  static Optional<SweepForm> read(Yaml.Mapping root, Resources resources, Problems problems) {
    Optional<Yaml.Scalar> written = root.mapping("workload").scalar("kind");
    Optional<WorkloadKind> kind = written.flatMap(name -> Workloads.find(name.text()));
    if (written.isPresent() && kind.isEmpty()) {
      problems.add(
          Problem.unknown(written.get().place(), "kind", written.get().text(), Workloads.names()));
    }
    return kind.map(k -> new FormReader(root, k, resources, problems).form());
  }

  private static final class FormReader {
    private final Yaml.Mapping root;
    private final Resources resources;
    private final Problems problems;
    private final WorkloadKind workload;
    private final SortedMap<String, String> settings;

    /**
     * Settings for candidates: the sweep file's, over defaults from the workload's own files, under
     * those of the first config tag, on which candidates are measured.
     */
    private final SortedMap<String, String> known;

    FormReader(Yaml.Mapping root, WorkloadKind workload, Resources resources, Problems problems) {
      this.root = root;
      this.workload = workload;
      this.resources = resources;
      this.problems = problems;
      settings = Values.settings(root.mapping("workload"));
      settings.remove("kind");
      known = new TreeMap<>(workload.inherited(root.text("model").orElse(""), settings));
      known.putAll(settings);
      known.putAll(configTags().getFirst().overrides());
    }

    SweepForm form() {
      Optional<Parallelism> parallelism =
          root.scalar("parallelism")
              .map(s -> Parallelism.parse(s, workload.takesAnyAxis(), problems));
      checkSettings();
      List<ConfigTag> tags = configTags();
      ProfilesForm written = new ProfilesForm(root.mapping("profiles"), problems);
      List<Profile> profiles = written.profiles();
      Policy policy = PolicyForm.read(root.mapping("policy"));
      BudgetForm budget = BudgetForm.read(root);
      PlanForm plan = plan();
      SequencedMap<String, Catalog> catalogs = catalogs(plan, parallelism);
      written.checkValues(catalogs.values());
      ProfilesForm.checkEnvironment(root.mapping("workload").mapping("env"), problems);
      List<String> own =
          root.scalars("catalogs").stream().map(Yaml.Scalar::text).distinct().toList();
      Optional<Expansion.Expanded> expanded =
          parallelism.map(
              p -> {
                BiFunction<Parallelism, Problems, Expansion> expansion =
                    (led, found) ->
                        new Expansion(
                            led, workload, known, tags, profiles, catalogs, own, policy, found);
                LinkedHashMap<String, Expansion.Expanded> byAxis = new LinkedHashMap<>();
                p.names().stream()
                    .skip(1)
                    .forEach(
                        axis ->
                            byAxis.put(
                                axis, expanded(plan, p.ledBy(axis), new Problems(), expansion)));
                return expanded(plan, p, problems, expansion).with(byAxis);
              });
      expanded.ifPresent(e -> checkExpanded(e, tags, budget, policy));
      Optional<Metric> metric = metric();
      refuseUnseen(root, "model");
      refuseUnseen(root.mapping("metric"), "name");
      refuseUnseen(root.mapping("metric"), "unit");
      return new SweepForm(
          root.text("model"),
          root.text("parallelism"),
          root.get("slot").map(s -> SlotForm.read(root, problems)),
          workload.name(),
          settings,
          metric,
          tags,
          budget,
          policy,
          playbook(),
          expanded.map(Expansion.Expanded::catalogs).orElse(List.of()),
          expanded);
    }

    /** Runs the workload's checks, without problems that the schema has found already. */
    private void checkSettings() {
      Set<Place> said = problems.all().stream().map(Problem::place).collect(Collectors.toSet());
      workload.check(settingsAsWritten()).stream()
          .map(found -> Problem.of(root, found))
          .filter(problem -> !said.contains(problem.place()))
          .forEach(problems::add);
    }

    /**
     * Expands twice: the first expansion shows how many candidates each wave chooses, from which
     * the limits follow.
     */
    private static Expansion.Expanded expanded(
        PlanForm plan,
        Parallelism led,
        Problems problems,
        BiFunction<Parallelism, Problems, Expansion> expansion) {
      PlanForm fitted = expansion.apply(led, new Problems()).fitted(plan);
      return expansion.apply(led, problems).expand(fitted);
    }

    private void checkExpanded(
        Expansion.Expanded expanded, List<ConfigTag> tags, BudgetForm budget, Policy policy) {
      if (!problems.isEmpty()) {
        return; // the missing part may be the misspelt one
      }
      int baselineJobs =
          expanded.plan().waves().stream()
              .filter(w -> w.kind() == Wave.Kind.BASELINE)
              .mapToInt(
                  w ->
                      controlled(w) * w.repetitions() * tags.size()
                          + Math.max(0, policy.baselineRuns() - w.repetitions()))
              .sum();
      budget.checkHolds(baselineJobs, policy.jobTimeLimit(), problems);
      if (expanded.profiles().stream()
          .allMatch(p -> p.isBaseline() || p.name().equals(Profile.BASELINE_NO_ENV))) {
        problems.add(
            root.placeOf("plan"),
            "there is nothing to sweep: no wave of the plan has a candidate",
            "expected 'profiles', or 'catalogs' with entries for this parallelism");
      }
    }

    /**
     * Runs in a block of the baseline wave; the baseline is one of them whether or not the wave
     * names it.
     */
    private static int controlled(Wave wave) {
      return wave.profiles().size() + (wave.profiles().contains(Profile.BASELINE) ? 0 : 1);
    }

    private List<ConfigTag> configTags() {
      Yaml.Mapping tags = root.mapping("configTags");
      List<ConfigTag> read =
          tags.entries().keySet().stream()
              .map(name -> new ConfigTag(name, Values.settings(tags.mapping(name))))
              .toList();
      return read.isEmpty() ? List.of(new ConfigTag("default", new TreeMap<>())) : read;
    }

    private PlanForm plan() {
      if (root.get("plan").orElse(null) instanceof Yaml.Mapping spelledOut) {
        return PlanForm.read(root.place().file(), spelledOut, problems);
      }
      String name = root.text("plan").orElse(workload.plan());
      Optional<Resources.ResourceText> source = resources.find(Resources.Kind.PLAN, name);
      if (source.isEmpty()) {
        problems.add(
            Problem.unknown(
                root.scalar("plan").map(Yaml::place).orElse(root.place()),
                "plan",
                name,
                resources.names(Resources.Kind.PLAN)));
        return new PlanForm(name, List.of(), Optional.empty());
      }
      Problems own = new Problems();
      Yaml.Mapping template = YamlReader.read(source.get(), own);
      if (own.isEmpty()) {
        SchemaCheck.PLAN.check(template, own);
      }
      own.all().forEach(problems::add);
      return PlanForm.read(name, template, problems);
    }

    /** The catalogs that the sweep names, then those that only the plan names. */
    private SequencedMap<String, Catalog> catalogs(
        PlanForm plan, Optional<Parallelism> parallelism) {
      LinkedHashSet<Yaml.Scalar> named = new LinkedHashSet<>(root.scalars("catalogs"));
      plan.waves().stream()
          .flatMap(w -> w.select().stream())
          .flatMap(s -> s.from().stream())
          .filter(s -> !s.text().equals("profiles") && !s.text().equals("catalogs"))
          .forEach(named::add);
      Map<String, String> numbers = new HashMap<>(known);
      parallelism.ifPresent(p -> p.axes().forEach((k, v) -> numbers.put(k, v.toString())));
      CatalogFile reader = new CatalogFile(numbers, problems);
      LinkedHashMap<String, Catalog> catalogs = new LinkedHashMap<>();
      for (Yaml.Scalar name : named) {
        Optional<Resources.ResourceText> source =
            resources.find(Resources.Kind.CATALOG, name.text());
        if (source.isEmpty()) {
          problems.add(
              Problem.unknown(
                  name.place(),
                  "flag catalog",
                  name.text(),
                  resources.names(Resources.Kind.CATALOG)));
        } else if (!catalogs.containsKey(name.text())) {
          catalogs.put(name.text(), reader.read(name.text(), source.get()));
        }
      }
      return catalogs;
    }

    private Playbook playbook() {
      return new PlaybookFile(resources, problems)
          .read(
              root.text("playbook").orElse(workload.playbook()),
              root.scalar("playbook").map(Yaml::place).orElse(root.placeOf("workload")));
    }

    /**
     * Refuses invisible characters in names, which are printed on terminals and could control them.
     */
    private void refuseUnseen(Yaml.Mapping mapping, String key) {
      mapping
          .scalar(key)
          .filter(name -> Unseen.isIn(name.text()))
          .ifPresent(
              name ->
                  problems.add(
                      name.place(),
                      "'" + key + "' is '" + Unseen.marked(name.text()) + "'",
                      "expected one line without control characters and directional marks"));
    }

    private Optional<Metric> metric() {
      Yaml.Mapping metric = root.mapping("metric");
      if (root.get("metric").isPresent()) {
        return metric
            .text("name")
            .map(
                name ->
                    new Metric(
                        name,
                        metric.text("unit").orElse(""),
                        metric.text("better").orElse("higher").equals("lower")
                            ? Metric.Better.LOWER
                            : Metric.Better.HIGHER));
      }
      Optional<Metric> usual = workload.metric(settings);
      if (usual.isEmpty()) {
        problems.add(
            root.placeOf("workload"),
            "'metric' is missing",
            "a workload of kind "
                + workload.name()
                + " says what is compared: {name, unit, better}");
      }
      return usual;
    }

    private SweepSettings settingsAsWritten() {
      List<SweepSettings.Section> variants = new ArrayList<>();
      Yaml.Mapping tags = root.mapping("configTags");
      tags.entries()
          .keySet()
          .forEach(
              tag ->
                  variants.add(
                      ProfilesForm.section(List.of("configTags", tag), tags.mapping(tag))));
      variants.addAll(new ProfilesForm(root.mapping("profiles"), problems).overrides());
      return new SweepSettings(
          ProfilesForm.section(List.of("workload"), root.mapping("workload")), variants);
    }
  }
}
