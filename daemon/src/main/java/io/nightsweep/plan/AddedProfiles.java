package io.nightsweep.plan;

import io.nightsweep.files.Unseen;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Foresight;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.WorkloadKind;
import io.nightsweep.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Profiles that a person adds to a running sweep, read and checked like those of its file. */
public final class AddedProfiles {
  private static final String PROFILES = "profiles";

  /** The name, in messages, of a profile that was not read from a file. */
  private static final String LINE = "profile";

  /**
   * A word. A value with spaces is in double quotes; in it, a backslash escapes the next character.
   */
  private static final Pattern WORD =
      Pattern.compile("(?<key>[^\\s=]+)=\"(?<quoted>(?:[^\"\\\\]|\\\\.)*)\"(?=\\s|$)|\\S+");

  /** The notation of a sweep file: in braces, or a line of one. */
  private static final Pattern AS_IN_A_FILE = Pattern.compile("\\s*(?:\\{|[\\w.+-]+:\\s*\\{)");

  /** A value that needs no quotes. */
  private static final Pattern PLAIN = Pattern.compile("(?:[^\\s\"]\\S*)?");

  private final SweepSpec spec;
  private final boolean asWritten;
  private final Problems problems = new Problems();

  private AddedProfiles(SweepSpec spec, boolean asWritten) {
    this.spec = spec;
    this.asWritten = asWritten;
  }

  /**
   * The profiles below {@code profiles:} of a YAML file.
   *
   * @param asWritten whether to accept a flag that looks like a misspelt one of the catalogs
   * @param environment of the person who adds them; values that are secrets there are refused
   * @throws InvalidInputException with every problem found, each at its place in the file
   */
  public static List<Profile> ofFile(
      Path file, SweepSpec spec, boolean asWritten, Map<String, String> environment)
      throws InvalidInputException {
    AddedProfiles added = new AddedProfiles(spec, asWritten);
    String name = String.valueOf(file.getFileName());
    String text =
        SweepFile.text(file, name, "write the profiles below 'profiles:'", added.problems);
    Secrets.refuseKnown(name, text, environment, added.problems);
    added.problems.throwIfAny();
    Yaml.Mapping document = YamlReader.read(name, text, added.problems);
    for (Yaml.YamlEntry entry : document.entries().values()) {
      if (!entry.key().equals(PROFILES)) {
        added.problems.add(
            Problem.unknown(entry.keyPlace(), "key", entry.key(), List.of(PROFILES)));
      }
    }
    return added.read(document, environment);
  }

  /**
   * One profile on a line: its name, then {@code --xla_flag=value}, {@code VARIABLE=value} and
   * {@code setting=value} in any order, a value with spaces in double quotes; or as a sweep file
   * has it, with or without braces around it, or below {@code profiles:}.
   *
   * @param asWritten whether to accept a flag that looks like a misspelt one of the catalogs
   * @param environment of the person who adds them; values that are secrets there are refused
   * @throws InvalidInputException with every problem found, each at its column
   */
  public static List<Profile> ofLine(
      String line, SweepSpec spec, boolean asWritten, Map<String, String> environment)
      throws InvalidInputException {
    AddedProfiles added = new AddedProfiles(spec, asWritten);
    Secrets.refuseKnown(LINE, line, environment, added.problems);
    added.problems.throwIfAny();
    return added.read(
        AS_IN_A_FILE.matcher(line).lookingAt() ? added.braces(line) : added.document(line),
        environment);
  }

  /**
   * The text from which {@link #ofLine} reads {@code profile}; in braces only where the short form
   * cannot express it.
   */
  public static String line(String name, Profile profile) {
    LinkedHashMap<String, Map<String, String>> sections = new LinkedHashMap<>();
    sections.put("flags", profile.flags());
    sections.put("env", profile.env());
    sections.put("overrides", profile.overrides());
    boolean isShort = profile.base() == Profile.Base.DEPLOYED;
    StringBuilder words = new StringBuilder(name);
    for (Map.Entry<String, Map<String, String>> section : sections.entrySet()) {
      for (Map.Entry<String, String> setting : section.getValue().entrySet()) {
        isShort &=
            section(setting.getKey()).equals(section.getKey()) && !Unseen.isIn(setting.getValue());
        words.append(' ').append(setting.getKey()).append('=').append(word(setting.getValue()));
      }
    }
    return isShort ? words.toString() : inBraces(name, profile.base(), sections);
  }

  private static String word(String value) {
    return PLAIN.matcher(value).matches()
        ? value
        : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String inBraces(
      String name, Profile.Base base, Map<String, Map<String, String>> sections) {
    LinkedHashMap<String, Object> written = new LinkedHashMap<>(sections);
    if (base == Profile.Base.NO_ENV) {
      written.put("base", "no-env");
    }
    return Json.mapper().valueToTree(Map.of(name, written)).toString();
  }

  private Yaml.Mapping braces(String line) throws InvalidInputException {
    Yaml.Mapping profiles = YamlReader.read(LINE, line, problems);
    if (profiles.entries().keySet().equals(Set.of(PROFILES))) {
      return profiles;
    }
    return below(profiles);
  }

  /**
   * Why a profile proposed by a program would be refused if a person had written it; empty if it is
   * acceptable. Only the first problem is reported.
   */
  public static Optional<String> refusal(Profile profile, SweepSpec spec) {
    Place start = Place.startOf(LINE);
    LinkedHashMap<String, Yaml.YamlEntry> sections = new LinkedHashMap<>();
    section("flags", profile.flags(), sections);
    section("env", profile.env(), sections);
    section("overrides", profile.overrides(), sections);
    AddedProfiles added = new AddedProfiles(spec, false);
    try {
      added.read(added.named(scalar(start, profile.name()), sections), Map.of());
      return Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.of(e.problems().getFirst().toString());
    }
  }

  private static void section(
      String name, Map<String, String> settings, Map<String, Yaml.YamlEntry> sections) {
    Place start = Place.startOf(LINE);
    LinkedHashMap<String, Yaml.YamlEntry> entries = new LinkedHashMap<>();
    settings.forEach((k, v) -> entries.put(k, new Yaml.YamlEntry(k, start, scalar(start, v))));
    if (!entries.isEmpty()) {
      sections.put(name, new Yaml.YamlEntry(name, start, new Yaml.Mapping(start, entries)));
    }
  }

  private List<Profile> read(Yaml.Mapping document, Map<String, String> environment)
      throws InvalidInputException {
    Secrets.refuse(document, environment);
    Yaml.Mapping written = document.mapping(PROFILES);
    if (problems.isEmpty() && written.entries().isEmpty()) {
      problems.add(
          document.placeOf(PROFILES), "there are no profiles", "expected 'profiles:' with some");
    }
    Yaml.Mapping root = asSweepFile(document);
    SchemaCheck.SWEEP.check(root, problems);
    problems.throwIfAny();
    ProfilesForm form = new ProfilesForm(written, problems);
    form.checkValues(spec.catalogs());
    if (!asWritten) {
      form.doubtfulFlags(spec.catalogs(), "nobody asks the build for it any more")
          .forEach(problems::add);
    }
    List<Profile> profiles = form.profiles();
    Optional<WorkloadKind> workload = Workloads.find(spec.workload());
    workload.ifPresent(kind -> checkOverrides(kind, root, form, profiles));
    problems.throwIfAny();
    return profiles;
  }

  private void checkOverrides(
      WorkloadKind kind, Yaml.Mapping root, ProfilesForm form, List<Profile> profiles) {
    kind.check(new SweepSettings(own(), form.overrides())).stream()
        .filter(p -> p.path().getFirst().equals(PROFILES))
        .forEach(p -> problems.add(Problem.of(root, p)));
    TreeMap<String, String> settings =
        new TreeMap<>(kind.inherited(spec.cell().model(), spec.settings()));
    settings.putAll(spec.settings());
    settings.putAll(spec.primaryTag().overrides());
    Parallelism parallelism =
        Parallelism.parse(
            scalar(Place.startOf(LINE), spec.cell().parallelism()),
            kind.takesAnyAxis(),
            new Problems());
    Foresight foresight = kind.foresight(parallelism.axes(), settings);
    for (Profile profile : profiles) {
      if (!foresight.allows(profile)) {
        problems.add(
            root.placeAt(List.of(PROFILES, profile.name()), true),
            "a job cannot start with the overrides of '" + profile.name() + "'",
            "expected values that fit the model and the parallelism");
      }
    }
  }

  private SweepSettings.Section own() {
    LinkedHashMap<String, Optional<String>> values = new LinkedHashMap<>();
    spec.settings().forEach((key, value) -> values.put(key, Optional.of(value)));
    return new SweepSettings.Section(List.of("workload"), values);
  }

  /**
   * Wraps the profiles in a sweep file's structure, so that the schema of sweep files checks them.
   */
  private Yaml.Mapping asSweepFile(Yaml.Mapping document) {
    Place place = document.place();
    Yaml.Mapping workload =
        Yaml.Mapping.of(place, new Yaml.YamlEntry("kind", place, scalar(place, spec.workload())));
    LinkedHashMap<String, Yaml.YamlEntry> entries = new LinkedHashMap<>();
    document.entries().values().stream()
        .filter(entry -> entry.key().equals(PROFILES))
        .forEach(entry -> entries.put(PROFILES, entry));
    entries.put("workload", new Yaml.YamlEntry("workload", place, workload));
    return new Yaml.Mapping(place, entries);
  }

  private Yaml.Mapping document(String line) {
    List<Yaml.Scalar> words = new ArrayList<>();
    Matcher m = WORD.matcher(line);
    while (m.find()) {
      String quoted = m.group("quoted");
      words.add(
          scalar(
              new Place(LINE, 1, m.start() + 1),
              quoted == null
                  ? m.group()
                  : m.group("key") + "=" + quoted.replaceAll("\\\\(.)", "$1")));
    }
    Place start = Place.startOf(LINE);
    if (words.size() < 2 || words.getFirst().text().contains("=")) {
      problems.add(
          start,
          "found " + (words.isEmpty() ? "nothing" : "'" + line.strip() + "'"),
          "expected a name and what it sets, such as 'ag-1G"
              + " --xla_gpu_all_gather_combine_threshold_bytes=1073741824 NCCL_PROTO=LL'");
      return Yaml.Mapping.empty(start);
    }
    LinkedHashMap<String, Yaml.YamlEntry> sections = new LinkedHashMap<>();
    for (Yaml.Scalar word : words.subList(1, words.size())) {
      set(word, sections);
    }
    return named(words.getFirst(), sections);
  }

  private Yaml.Mapping named(Yaml.Scalar name, SequencedMap<String, Yaml.YamlEntry> sections) {
    Yaml.Mapping profile = new Yaml.Mapping(name.place(), sections);
    return below(
        Yaml.Mapping.of(
            Place.startOf(LINE), new Yaml.YamlEntry(name.text(), name.place(), profile)));
  }

  /** A document with these profiles below {@code profiles:}. */
  private static Yaml.Mapping below(Yaml.Mapping profiles) {
    return Yaml.Mapping.of(
        profiles.place(), new Yaml.YamlEntry(PROFILES, profiles.place(), profiles));
  }

  private void set(Yaml.Scalar word, Map<String, Yaml.YamlEntry> sections) {
    int equals = word.text().indexOf('=');
    if (equals < 1) {
      problems.add(
          word.place(),
          "found '" + word.text() + "'",
          "expected 'name=value', or 'name=\"value\"' where the value has spaces");
      return;
    }
    String key = word.text().substring(0, equals);
    String section = section(key);
    Yaml.YamlEntry begun = sections.get(section);
    Yaml.Mapping known =
        begun != null && begun.value() instanceof Yaml.Mapping m
            ? m
            : Yaml.Mapping.empty(word.place());
    LinkedHashMap<String, Yaml.YamlEntry> settings = new LinkedHashMap<>(known.entries());
    Yaml.Scalar value = scalar(word.place().right(equals + 1), word.text().substring(equals + 1));
    if (settings.put(key, new Yaml.YamlEntry(key, word.place(), value)) != null) {
      problems.add(word.place(), "'" + key + "' stands twice", "expected each setting once");
    }
    sections.put(
        section,
        new Yaml.YamlEntry(section, word.place(), new Yaml.Mapping(known.place(), settings)));
  }

  /** The section of a sweep file for a setting of the line. */
  private static String section(String key) {
    return key.startsWith("-") ? "flags" : key.matches("[A-Z][A-Za-z0-9_]*") ? "env" : "overrides";
  }

  private static Yaml.Scalar scalar(Place place, String text) {
    return new Yaml.Scalar(place, text, Yaml.Scalar.Type.TEXT, Yaml.Scalar.Notation.PLAIN);
  }
}
