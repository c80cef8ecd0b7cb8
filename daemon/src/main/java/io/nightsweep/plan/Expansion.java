package io.nightsweep.plan;

import io.nightsweep.plan.PlanForm.WaveForm;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Plan.NotApplicable;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.Wave.Kind;
import io.nightsweep.sweep.Wave.When;
import io.nightsweep.workload.Foresight;
import io.nightsweep.workload.WorkloadKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Turns a plan as written into waves of named profiles for one cell. */
final class Expansion {
  /** Runs on each other config tag at first; more follow if these do not decide. */
  private static final int CROSS_CHECK_RUNS = 1;

  private final Parallelism parallelism;
  private final WorkloadKind workload;
  private final Map<String, String> settings;
  private final List<ConfigTag> configTags;
  private final List<Profile> ownProfiles;
  private final SequencedMap<String, Catalog> catalogs;
  private final List<String> sweepCatalogs;
  private final Policy policy;
  private final Problems problems;
  private final Foresight foresight;

  private final SequencedMap<String, Profile> byName = new LinkedHashMap<>();
  private final SequencedMap<String, Profile> used = new LinkedHashMap<>();
  private final Set<String> takenHashes = new HashSet<>();

  /**
   * @param catalogs all that the sweep or the plan names
   * @param sweepCatalogs those that {@code from: catalogs} refers to
   */
  Expansion(
      Parallelism parallelism,
      WorkloadKind workload,
      Map<String, String> settings,
      List<ConfigTag> configTags,
      List<Profile> ownProfiles,
      SequencedMap<String, Catalog> catalogs,
      List<String> sweepCatalogs,
      Policy policy,
      Problems problems) {
    this.parallelism = parallelism;
    this.workload = workload;
    this.settings = settings;
    this.configTags = configTags;
    this.ownProfiles = ownProfiles;
    this.catalogs = catalogs;
    this.sweepCatalogs = sweepCatalogs;
    this.policy = policy;
    this.problems = problems;
    foresight = workload.foresight(parallelism.axes(), settings);
    byName.put(Profile.BASELINE, Profile.baseline());
    byName.put(Profile.BASELINE_NO_ENV, noEnv());
    ownProfiles.forEach(p -> byName.put(p.name(), p));
    catalogs.values().stream()
        .flatMap(c -> c.entries().stream())
        .flatMap(e -> e.candidates().stream())
        .forEach(p -> byName.putIfAbsent(p.name(), p));
  }

  /**
   * @param catalogs without candidates that the workload cannot run
   */
  record Expanded(Plan plan, List<Profile> profiles, List<Catalog> catalogs) {
    /** Adds the plans for the other axes as the dominant one, where they differ from this plan. */
    Expanded with(SequencedMap<String, Expanded> byAxis) {
      List<Plan.Alternative> others = new ArrayList<>();
      byAxis.forEach(
          (axis, other) -> {
            if (!other.plan.waves().equals(plan.waves())) {
              others.add(
                  new Plan.Alternative(
                      axis, other.plan.waves(), other.profiles, other.plan.candidates()));
            }
          });
      return new Expanded(
          new Plan(plan.template(), plan.waves(), plan.notApplicable(), plan.candidates(), others),
          profiles,
          catalogs);
    }
  }

  Expanded expand(PlanForm form) {
    use(Profile.baseline());
    List<Wave> waves = new ArrayList<>();
    List<NotApplicable> notApplicable = new ArrayList<>();
    List<WaveForm> named = form.waves().stream().filter(w -> !w.profiles().isEmpty()).toList();
    named.forEach(w -> w.profiles().forEach(p -> take(p.text())));
    for (WaveForm wave : form.waves()) {
      Optional<Statement> reason = whyNot(wave);
      if (reason.isPresent()) {
        notApplicable.add(new NotApplicable(wave.name(), reason.get()));
        continue;
      }
      List<String> profiles = profiles(wave);
      if (profiles.isEmpty() && needsProfiles(wave.kind())) {
        notApplicable.add(new NotApplicable(wave.name(), whyEmpty(wave)));
        continue;
      }
      waves.addAll(split(wave, profiles));
    }
    return new Expanded(
        new Plan(
            form.template(),
            withoutIdleProbe(waves, notApplicable),
            notApplicable,
            candidates(),
            List.of()),
        List.copyOf(used.values()),
        catalogs.values().stream().map(this::possible).toList());
  }

  private Catalog possible(Catalog catalog) {
    return new Catalog(
        catalog.name(),
        catalog.about(),
        catalog.entries().stream().map(e -> e.having(this::isPossible)).toList());
  }

  /**
   * The plan with at most as many candidates as it allows in total. Waves with their own limit keep
   * it. The others are cut, beginning with the first wave and with its least promising candidates.
   */
  PlanForm fitted(PlanForm form) {
    if (form.candidates().isEmpty()) {
      return form;
    }
    List<Wave> waves = expand(form).plan().waves();
    List<Wave> screens = waves.stream().filter(w -> w.kind() == Kind.SCREEN).toList();
    int chosen = screens.stream().mapToInt(w -> w.profiles().size()).sum();
    int furtherTags = configTags.size() - 1;
    int surplus = chosen - form.candidates().get() + furtherTags * jobsOfAFurtherTag(waves);
    PlanForm fitted = form;
    for (WaveForm wave : form.waves()) {
      int selected = selectedBy(wave, screens);
      int kept = Math.max(fewest(wave), selected - Math.max(0, surplus));
      if (kept < selected) {
        fitted = fitted.limited(wave.name(), kept);
        surplus -= selected - kept;
      }
    }
    return fitted;
  }

  /**
   * The number of candidates in a wave that has no limit of its own; 0 where the wave does not
   * apply.
   */
  private static int selectedBy(WaveForm wave, List<Wave> screens) {
    if (wave.select().filter(s -> s.limit().isEmpty()).isEmpty()) {
      return 0;
    }
    return screens.stream()
        .filter(w -> w.name().matches(Pattern.quote(wave.name()) + "(-\\d+)?"))
        .mapToInt(w -> w.profiles().size())
        .reduce(-wave.profiles().size(), Integer::sum);
  }

  /**
   * The fewest candidates to which a wave can be cut; it keeps all profiles of the sweep file that
   * it uses.
   */
  private int fewest(WaveForm wave) {
    boolean takesOwn =
        wave.select().stream()
            .flatMap(s -> s.from().stream())
            .anyMatch(source -> source.text().equals("profiles"));
    return takesOwn ? Math.max(1, ownProfiles.size()) : 1;
  }

  /**
   * Jobs for each further config tag: its baselines and the winner's cross-check. They take
   * precedence over candidates.
   */
  private static int jobsOfAFurtherTag(List<Wave> waves) {
    return waves.stream()
        .mapToInt(
            w ->
                switch (w.kind()) {
                  case BASELINE -> w.profiles().size() * w.repetitions();
                  case CROSS_CHECK -> 2 * w.repetitions();
                  case PROBE, EVIDENCE, SCREEN, STACK, RACE, CONFIRM, WINNER_EVIDENCE, NODE_GATE ->
                      0;
                })
        .sum();
  }

  /**
   * The candidates by name; if two catalog entries make the same profile, the first catalog's
   * counts.
   */
  private SortedMap<String, Plan.Candidate> candidates() {
    TreeMap<String, Plan.Candidate> known = new TreeMap<>();
    for (Catalog catalog : catalogs.values()) {
      for (Catalog.CatalogEntry entry : catalog.entries()) {
        for (Profile profile : entry.candidates()) {
          if (profile.equals(used.get(profile.name()))) {
            known.putIfAbsent(
                profile.name(), new Plan.Candidate(catalog.name(), entry.id(), entry.mechanisms()));
          }
        }
      }
    }
    return known;
  }

  private Optional<Statement> whyNot(WaveForm wave) {
    Condition.ConditionFacts cell =
        new Condition.ConditionFacts(parallelism, configTags.size(), workload.name());
    return wave.conditions().stream()
        .flatMap(s -> Condition.parse(s, problems).stream())
        .filter(c -> !c.test().holds(cell))
        .map(c -> Statement.phrase("plan-needs", c.text()))
        .findFirst();
  }

  private Statement whyEmpty(WaveForm wave) {
    return wave.select().isPresent()
        ? Statement.phrase("plan-none-left", String.join(", ", parallelism.names()))
        : Statement.phrase("plan-no-profiles");
  }

  private List<String> profiles(WaveForm wave) {
    if (!needsProfiles(wave.kind())) {
      if (!wave.profiles().isEmpty() || wave.select().isPresent()) {
        problems.add(
            wave.place(),
            "the wave '" + wave.name() + "' names profiles",
            "expected none: a wave of kind " + Values.kebab(wave.kind()) + " chooses them itself");
      }
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (Yaml.Scalar name : wave.profiles()) {
      Profile profile = byName.get(name.text());
      if (profile == null) {
        problems.add(Problem.unknown(name.place(), "profile", name.text(), byName.keySet()));
      } else if (names.contains(name.text())) {
        problems.add(name.place(), "the profile '" + name.text() + "' stands twice", "");
      } else {
        names.add(name.text());
        use(profile);
      }
    }
    wave.select().ifPresent(select -> selected(select).forEach(p -> names.add(p.name())));
    if (names.isEmpty() && (wave.kind() == Kind.BASELINE || wave.kind() == Kind.EVIDENCE)) {
      names.add(Profile.BASELINE);
    }
    return names;
  }

  /**
   * The sweep's own profiles, then candidates for the requested axes, those with a promising sign
   * first.
   */
  private List<Profile> selected(PlanForm.Select select) {
    List<Profile> chosen = new ArrayList<>();
    LinkedHashSet<String> from = new LinkedHashSet<>();
    for (Yaml.Scalar source : select.from()) {
      switch (source.text()) {
        case "profiles" -> chosen.addAll(ownProfiles);
        case "catalogs" -> from.addAll(sweepCatalogs);
        default -> from.add(source.text());
      }
    }
    List<String> axes = axes(select);
    boolean anyAxis = select.parallelism().map(s -> s.text().equals("any")).orElse(true);
    from.stream()
        .flatMap(name -> Stream.ofNullable(catalogs.get(name)))
        .flatMap(catalog -> catalog.entries().stream())
        .filter(e -> e.isRelevantTo(settings))
        .filter(e -> anyAxis || axes.stream().anyMatch(a -> e.on(a).isPresent()))
        .sorted(Comparator.comparing(e -> sign(e, axes)))
        .flatMap(e -> e.candidates().stream())
        .forEach(chosen::add);
    // If a name or a content occurs twice, the sweep's own profile and the first catalog take
    // precedence.
    List<Profile> left =
        chosen.stream()
            .filter(p -> p.equals(byName.get(p.name())))
            .filter(this::isPossible)
            .filter(p -> takenHashes.add(p.hash()))
            .toList();
    List<Profile> first =
        left.subList(0, Math.min(left.size(), select.limit().orElse(left.size())));
    left.subList(first.size(), left.size()).forEach(p -> takenHashes.remove(p.hash()));
    first.forEach(this::use);
    return first;
  }

  /** Whether the workload can run the profile and the profile changes a setting. */
  private boolean isPossible(Profile profile) {
    boolean changes =
        profile.overrides().isEmpty()
            || !profile.flags().isEmpty()
            || !profile.env().isEmpty()
            || !settings.entrySet().containsAll(profile.overrides().entrySet());
    return changes && foresight.allows(profile);
  }

  private static Catalog.Sign sign(Catalog.CatalogEntry entry, List<String> axes) {
    return axes.stream()
        .flatMap(a -> entry.on(a).stream())
        .map(Catalog.Expectation::sign)
        .findFirst()
        .orElse(Catalog.Sign.UNKNOWN);
  }

  private List<String> axes(PlanForm.Select select) {
    List<String> own = parallelism.names();
    return switch (select.parallelism().map(Yaml.Scalar::text).orElse("any")) {
      case "any" -> own;
      case "dominant" -> own.isEmpty() ? own : own.subList(0, 1);
      case "secondary" -> own.isEmpty() ? own : own.subList(1, own.size());
      case String axis -> own.contains(axis) ? List.of(axis) : List.of();
    };
  }

  private List<Wave> split(WaveForm form, List<String> profiles) {
    int size = form.split().orElse(Math.max(1, profiles.size()));
    int count = Math.max(1, Math.ceilDiv(profiles.size(), size));
    List<Wave> waves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) profiles.size() * i / count);
      int to = (int) ((long) profiles.size() * (i + 1) / count);
      waves.add(
          new Wave(
              count == 1 ? form.name() : form.name() + "-" + (i + 1),
              form.kind(),
              profiles.subList(from, to),
              form.when().orElse(usualWhen(form.kind())),
              form.repetitions().orElse(usualRepetitions(form.kind())),
              foresight.why(
                  form.why(),
                  profiles.subList(from, to).stream()
                      .flatMap(p -> Stream.ofNullable(used.get(p)))
                      .toList())));
    }
    return waves;
  }

  /** Removes a probe that has nothing to check; decided only after all candidates are chosen. */
  private List<Wave> withoutIdleProbe(List<Wave> waves, List<NotApplicable> notApplicable) {
    if (used.values().stream().anyMatch(p -> !p.flags().isEmpty() || !p.overrides().isEmpty())) {
      return waves;
    }
    waves.stream()
        .filter(w -> w.kind() == Kind.PROBE)
        .forEach(
            w ->
                notApplicable.add(
                    new NotApplicable(w.name(), Statement.phrase("plan-idle-probe"))));
    return waves.stream().filter(w -> w.kind() != Kind.PROBE).toList();
  }

  private void use(Profile profile) {
    used.putIfAbsent(profile.name(), profile);
    takenHashes.add(profile.hash());
  }

  private void take(String name) {
    Profile profile = byName.get(name);
    if (profile != null) {
      takenHashes.add(profile.hash());
    }
  }

  private static boolean needsProfiles(Kind kind) {
    return kind == Kind.BASELINE || kind == Kind.EVIDENCE || kind == Kind.SCREEN;
  }

  private static When usualWhen(Kind kind) {
    return switch (kind) {
      case PROBE, BASELINE, EVIDENCE, NODE_GATE -> When.ALWAYS;
      case SCREEN -> When.UNTIL_TARGET_MET;
      case STACK, RACE, CONFIRM -> When.IF_CONTENDER;
      case CROSS_CHECK, WINNER_EVIDENCE -> When.IF_WINNER;
    };
  }

  private int usualRepetitions(Kind kind) {
    return switch (kind) {
      case PROBE, BASELINE, EVIDENCE, SCREEN, STACK, WINNER_EVIDENCE, NODE_GATE -> 1;
      case RACE -> policy.maxRunsPerProfile();
      case CONFIRM -> policy.confirmRuns();
      case CROSS_CHECK -> CROSS_CHECK_RUNS;
    };
  }

  private static Profile noEnv() {
    Profile baseline = Profile.baseline();
    return new Profile(
        Profile.BASELINE_NO_ENV,
        Profile.Base.NO_ENV,
        baseline.flags(),
        baseline.env(),
        baseline.overrides(),
        List.of());
  }
}
