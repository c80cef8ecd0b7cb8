package io.nightsweep.agent;

import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.RefusedException;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.files.Plain;
import io.nightsweep.sweep.AttemptId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tools of an assistant; each runs one of Nightsweep's commands. */
final class Tools {
  private static final Pattern OURS = Pattern.compile("(workload|profiles):");
  private static final int LARGEST_FILE = 1 << 20;

  private static final Argument SWEEP =
      Argument.text("sweep", "A sweep's id; without it the only one that is unfinished.")
          .optional();

  private static final Argument FILE =
      Argument.path("file", "The sweep file's absolute path on this machine.");

  static final List<Tool> ALL =
      List.of(
          read(
              "sweeps",
              "All sweeps of this state directory: id, phase, cell.",
              List.of(),
              (c, v) -> List.of("sweeps", c.stateOption(), "--json")),
          read(
              "status",
              "How far a sweep has come: phase, waves, running jobs with their last step and when it was seen, the leader, the expected end.",
              List.of(SWEEP),
              (c, v) -> sweep(List.of("status", c.stateOption(), "--json"), v)),
          read(
              "events",
              "What happened after a sequence number, the oldest first; with wait_seconds it waits for the next event. Ask again with the last 'seq'.",
              List.of(
                  SWEEP,
                  Argument.number(
                          "since",
                          0,
                          Long.MAX_VALUE,
                          "The last sequence number that is known; 0 for all.")
                      .optional(),
                  Argument.number("wait_seconds", 0, 30, "How long to wait if there is none yet.")
                      .optional()),
              (c, v) ->
                  sweep(
                      List.of(
                          "watch",
                          c.stateOption(),
                          "--json",
                          "--since=" + v.getOrDefault("since", "0"),
                          "--wait=" + v.getOrDefault("wait_seconds", "0")),
                      v)),
          read(
              "explain",
              "What was decided about a trial, an attempt, a profile or a wave, and why.",
              List.of(
                  SWEEP, Argument.text("about", "t0012, t0012a1, a profile or a wave").optional()),
              (c, v) -> words(sweep(List.of("explain", c.stateOption(), "--json"), v), v, "about")),
          read(
              "leaderboard",
              "Every profile with its runs, gain, interval and verdict, those that were dropped with the reason, and what may be deployed.",
              List.of(SWEEP),
              (c, v) -> sweep(List.of("report", c.stateOption(), "--json"), v)),
          read(
              "evidence",
              "What the compiled step and the profile show, each finding with its figures and the files that it rests on; flags that the build does not know.",
              List.of(SWEEP),
              (c, v) -> sweep(List.of("report", c.stateOption(), "--evidence", "--json"), v)),
          read(
              "triage",
              "What the log of one attempt means, with the quoted lines and the remedy.",
              List.of(
                  Argument.text("sweep", "its id"), Argument.text("attempt", "such as t0012a1")),
              (c, v) -> List.of("triage", "--json", "--of-a-job", log(c, v).toString())),
          read(
              "rehearse",
              "Walks a sweep file through simulated nights: jobs, hours, the smallest gain that it finds. Starts nothing.",
              List.of(FILE),
              (c, v) -> List.of("rehearse", c.stateOption(), "--json", "--nights=96", path(v))),
          read(
              "asked",
              "The state of the calls that wait for a person.",
              List.of(),
              (c, v) ->
                  List.of("confirm", c.stateOption(), "--list", "--json", "--by=" + c.assistant())),
          new Tool(
              "propose",
              "A profile for a running sweep, with why it should help. A person approves it; then it is measured like any other.",
              Scope.PROPOSE,
              true,
              List.of(
                  SWEEP,
                  Argument.path(
                      "file",
                      "The absolute path of a YAML file, such as: profiles: {NAME: {flags: {--xla_x: 1}, env: {X: 1}}}")),
              (c, v) -> behalf(joined(sweep(List.of("add", c.stateOption()), v), path(v)), c)),
          new Tool(
              "pause",
              "Submit nothing more until 'resume'; running jobs end and are measured.",
              Scope.CONTROL,
              false,
              List.of(SWEEP),
              (c, v) -> behalf(sweep(List.of("pause", c.stateOption()), v), c)),
          new Tool(
              "resume",
              "Go on after a pause or a halt.",
              Scope.CONTROL,
              true,
              List.of(
                  SWEEP, Argument.text("without", "a profile to leave out from now on").optional()),
              (c, v) ->
                  behalf(
                      v.containsKey("without")
                          ? joined(
                              sweep(List.of("resume", c.stateOption()), v),
                              "--without=" + v.get("without"))
                          : sweep(List.of("resume", c.stateOption()), v),
                      c)),
          new Tool(
              "start",
              "Start a sweep. Rehearse the file first.",
              Scope.CONTROL,
              true,
              List.of(FILE),
              (c, v) -> behalf(List.of("start", c.stateOption(), path(v)), c)),
          new Tool(
              "stop",
              "End a sweep for good: running jobs end first, then the partial report is written.",
              Scope.CONTROL,
              true,
              List.of(SWEEP),
              (c, v) -> behalf(sweep(List.of("stop", c.stateOption()), v), c)),
          new Tool(
              "approve",
              "Grant an approval that the sweep asks for.",
              Scope.CONTROL,
              true,
              List.of(
                  SWEEP,
                  Argument.text("approval", "its name, as status shows it among the questions")),
              (c, v) ->
                  behalf(words(sweep(List.of("approve", c.stateOption()), v), v, "approval"), c)));

  private Tools() {}

  /**
   * @throws RefusedException for an unknown name, with a list of the tools
   */
  static Tool named(String name) throws RefusedException {
    return ALL.stream()
        .filter(t -> t.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedException(
                    "there is no tool '"
                        + Plain.text(name, 60)
                        + "'; there are "
                        + ALL.stream().map(Tool::name).collect(Collectors.joining(", "))));
  }

  private static Tool read(
      String name, String about, List<Argument> arguments, Tool.CommandWords command) {
    return new Tool(name, about, Scope.READ, false, arguments, command);
  }

  private static List<String> sweep(List<String> command, Map<String, String> values) {
    return values.containsKey("sweep")
        ? joined(command, "--sweep=" + values.get("sweep"))
        : command;
  }

  private static List<String> words(
      List<String> command, Map<String, String> values, String argument) {
    return values.containsKey(argument) ? joined(command, values.get(argument)) : command;
  }

  /** The log of an attempt; a file outside the attempts' folders is refused. */
  private static Path log(Caller caller, Map<String, String> values) throws RefusedException {
    String sweep = values.getOrDefault("sweep", "");
    try {
      AttemptId attempt = AttemptId.parse(values.getOrDefault("attempt", ""));
      return new StateDirectory(caller.state())
          .all().stream()
              .filter(d -> d.id().equals(sweep))
              .findFirst()
              .orElseThrow(() -> new RefusedException("there is no sweep '" + sweep + "'"))
              .job(attempt)
              .log();
    } catch (IllegalArgumentException e) {
      throw new RefusedException("attempt: expected an id such as t0012a1");
    } catch (IOException e) {
      throw new RefusedException("the sweeps cannot be read: " + e.getMessage());
    }
  }

  /**
   * A YAML file with one of the keys of a sweep file or a proposal. Other files are refused, since
   * error messages could quote secrets from them.
   */
  private static String path(Map<String, String> values) throws RefusedException {
    Path path = Path.of(values.getOrDefault("file", ""));
    if (!path.isAbsolute()) {
      throw new RefusedException("file: found '" + path + "', expected an absolute path");
    }
    boolean isOurs = false;
    if (path.toString().matches(".*\\.ya?ml") && Files.isRegularFile(path)) {
      try (InputStream in = Files.newInputStream(path)) {
        isOurs =
            new String(in.readNBytes(LARGEST_FILE), StandardCharsets.UTF_8)
                .lines()
                .anyMatch(line -> OURS.matcher(line).lookingAt());
      } catch (IOException e) {
        throw new RefusedException("file: it cannot be read");
      }
    }
    if (!isOurs) {
      throw new RefusedException(
          "file: expected a YAML file with 'workload:' or 'profiles:' at the beginning of a line");
    }
    return path.normalize().toString();
  }

  private static List<String> behalf(List<String> command, Caller caller) {
    return joined(command, AssistantRequest.ON_BEHALF_OF + "=" + caller.assistant());
  }

  private static List<String> joined(List<String> command, String word) {
    List<String> joined = new ArrayList<>(command);
    joined.add(word);
    return List.copyOf(joined);
  }
}
