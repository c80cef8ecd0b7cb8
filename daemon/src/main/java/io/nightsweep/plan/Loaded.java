package io.nightsweep.plan;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.Transport;
import io.nightsweep.plan.Yaml.Scalar;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A valid sweep file before its nodes and missing values are known. */
public final class Loaded {
  private static final Place ANSWER = new Place("answer", 1, 1);

  private final Yaml.Mapping root;
  private final Resources resources;

  Loaded(Yaml.Mapping root, Resources resources) {
    this.root = root;
    this.resources = resources;
  }

  /** The way to the cluster's commands; absent where they run on this machine. */
  public Optional<Transport> transport() {
    Yaml.Mapping way = root.mapping("transport");
    return way.text("ssh")
        .map(host -> new Transport(Transport.Kind.SSH, host))
        .or(
            () ->
                way.text("hostCmd")
                    .map(program -> new Transport(Transport.Kind.HOST_CMD, program)));
  }

  /**
   * Problems found by a workload, with their places in the file.
   *
   * @param words turns a statement into a sentence
   */
  public List<Problem> placed(
      List<Workload.SetupProblem> found, Function<Statement, String> words) {
    return found.stream().map(p -> placed(p, words)).toList();
  }

  /**
   * Warnings: what looks misspelt but may be right, since only the probe job shows whether the
   * build knows a flag, and a program may read variables that its command does not mention; and
   * what the plan will not do.
   */
  public List<Problem> doubts(SweepSpec spec) {
    List<Problem> doubts =
        new ArrayList<>(
            new ProfilesForm(root.mapping("profiles"), new Problems())
                .doubtfulFlags(spec.catalogs(), "the build is asked before the first wave"));
    doubts.addAll(UnmentionedVariables.of(root, spec));
    doubts.addAll(PlanDoubts.of(root, spec));
    return doubts;
  }

  private Problem placed(Workload.SetupProblem p, Function<Statement, String> words) {
    Yaml.Mapping at = root;
    Place place = Place.startOf(root.place().file());
    Optional<String> nearest = Optional.empty();
    for (String key : p.setting().split("/", -1)) {
      Optional<Scalar> value = at.scalar(key);
      if (at.get(key).isPresent()) {
        place = value.filter(v -> !p.atKey()).map(v -> place(v, p)).orElse(at.placeOf(key));
      }
      nearest =
          p.atKey()
              ? Nearest.to(key, p.valid())
              : value.flatMap(v -> Nearest.to(v.text(), p.valid()));
      at = at.mapping(key);
    }
    return new Problem(place, words.apply(p.found()), p.whatToDo(), nearest);
  }

  private static Place place(Scalar value, Workload.SetupProblem p) {
    return p.line().isPresent() ? value.atLine(p.line().getAsInt()) : value.place();
  }

  /** Those of the keys {@code model}, {@code parallelism} and {@code slot} that the file omits. */
  public List<String> missing() {
    return List.of("model", "parallelism", "slot").stream()
        .filter(key -> root.get(key).isEmpty())
        .toList();
  }

  /**
   * Asks for missing values, pins the nodes, and expands the plan; a sweep starts with the result.
   *
   * @param now with the user's time zone, in which "until 07:30" is read
   * @throws InvalidInputException with every problem found; nothing was started
   */
  public SweepSpec resolve(Cluster cluster, Prompter prompter, ZonedDateTime now)
      throws InvalidInputException, ClusterUnreachableException, InterruptedException {
    Problems problems = new Problems();
    List<String> choices = missing().contains("slot") ? nodes(cluster) : List.of();
    SweepForm form = form(choices, prompter, problems);
    List<String> nodes = form.slot().orElseThrow().resolve(cluster, problems);
    return spec(form, nodes, now, problems);
  }

  /**
   * The sweep without a cluster, for rehearsal: nodes named in the file are not checked, and if the
   * file gives only a number, they are called {@code node1}, {@code node2}, ...
   *
   * @throws InvalidInputException with every problem found
   */
  public SweepSpec onPaper(ZonedDateTime now) throws InvalidInputException {
    Problems problems = new Problems();
    SweepForm form = form(List.of(), Prompter.nobody(), problems);
    return spec(form, form.slot().orElseThrow().onPaper(), now, problems);
  }

  private SweepForm form(List<String> nodeChoices, Prompter prompter, Problems problems)
      throws InvalidInputException {
    Yaml.Mapping whole = asked(nodeChoices, prompter, problems);
    problems.throwIfAny();
    Optional<SweepForm> form = SweepForm.read(whole, resources, problems);
    problems.throwIfAny();
    return form.orElseThrow();
  }

  private static SweepSpec spec(
      SweepForm form, List<String> nodes, ZonedDateTime now, Problems problems)
      throws InvalidInputException {
    Budget budget =
        form.budget().resolve(now, form.policy().jobTimeLimit(), nodes.size(), problems);
    problems.throwIfAny();
    Cell cell =
        new Cell(
            form.model().orElseThrow(),
            form.parallelism().orElseThrow(),
            nodes,
            form.slot().orElseThrow().partition().map(Scalar::text));
    Expansion.Expanded expanded = form.expanded().orElseThrow();
    return new SweepSpec(
        cell,
        form.workload(),
        form.settings(),
        form.metric().orElseThrow(),
        form.configTags(),
        expanded.profiles(),
        expanded.plan(),
        budget,
        form.policy(),
        form.playbook(),
        form.catalogs());
  }

  private Yaml.Mapping asked(List<String> nodeChoices, Prompter prompter, Problems problems) {
    LinkedHashMap<String, Yaml.YamlEntry> entries = new LinkedHashMap<>(root.entries());
    for (String key : missing()) {
      Optional<String> answer =
          switch (key) {
            case "model" -> prompter.ask(key, "Which model is tuned?", List.of());
            case "parallelism" ->
                prompter.ask(
                    key, "In which parallelism, such as FSDP=8 or PP=4,FSDP=2?", List.of());
            default ->
                prompter.ask(
                    key, "On which nodes: a nodelist such as n[1-2], or how many?", nodeChoices);
          };
      Optional<String> given = answer.map(String::strip).filter(a -> !a.isEmpty());
      if (given.isEmpty()) {
        problems.add(
            Place.startOf(root.place().file()),
            "'" + key + "' is missing",
            "it is never guessed: write it into the file, or answer on a terminal");
      } else {
        entries.put(key, new Yaml.YamlEntry(key, ANSWER, value(key, given.get())));
      }
    }
    return new Yaml.Mapping(root.place(), entries);
  }

  private static List<String> nodes(Cluster cluster)
      throws ClusterUnreachableException, InterruptedException {
    List<String> choices = new ArrayList<>();
    for (Cluster.Node node : cluster.nodes(List.of())) {
      choices.add(node.name() + " (" + node.state() + ")");
    }
    return choices;
  }

  private static Yaml value(String key, String answer) {
    Scalar scalar = new Scalar(ANSWER, answer, Scalar.Type.TEXT, Scalar.Notation.PLAIN);
    if (!key.equals("slot")) {
      return scalar;
    }
    String slotKey = answer.matches("[1-9][0-9]{0,5}") ? "nodes" : "nodelist";
    return Yaml.Mapping.of(ANSWER, new Yaml.YamlEntry(slotKey, ANSWER, scalar));
  }
}
