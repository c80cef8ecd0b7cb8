package io.nightsweep.chat;

import io.nightsweep.sweep.Command;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The meaning of a person's message. */
sealed interface Intent {
  record Status() implements Intent {}

  record ShowLeaderboard() implements Intent {}

  record Log(Optional<String> attempt) implements Intent {}

  record Explain(Optional<String> about) implements Intent {}

  record Help() implements Intent {}

  record ShowBudget() implements Intent {}

  /** Adds a profile given on a line, which the sweep validates. */
  record Add(String profile) implements Intent {}

  /** A command to carry out. */
  record Act(Command command) implements Intent {}

  /** Plain words that mean a command, which is carried out once the person confirms. */
  record Confirm(Command command) implements Intent {}

  /** Lists assistants' requests without an answer. */
  record Waiting() implements Intent {}

  /** A person's answer to an assistant's request, with its id, such as a3. */
  record Answered(String asked, boolean yes) implements Intent {}

  /** Asks the person how to stop. */
  record AskStop() implements Intent {}

  /** Asks the person which profile is meant. */
  record AskSkip() implements Intent {}

  record Unclear(String why) implements Intent {}

  Pattern COMMAND = Pattern.compile("/([a-z]+)(?:\\s+(.*))?", Pattern.DOTALL);

  /** The form of a request's id. */
  Pattern ASKED = Pattern.compile("a\\d{1,9}");

  Pattern ANSWER = Pattern.compile("(confirm|deny)\\s+(a\\d{1,9})");
  Pattern JOBS = Pattern.compile("(\\d{1,5})\\s*(?:jobs?|j)");
  Pattern HOURS = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,2})?)\\s*(?:hours?|h)");

  Pattern NODE_HOURS = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,2})?)\\s*node-?\\s*hours?");

  static Intent of(String message) {
    String text = message.strip();
    Matcher command = COMMAND.matcher(text);
    return command.matches()
        ? command(command.group(1), Optional.ofNullable(command.group(2)).orElse("").strip())
        : words(text);
  }

  private static Intent command(String name, String argument) {
    Optional<String> given = Optional.of(argument).filter(a -> !a.isEmpty());
    return switch (name) {
      case "status" -> new Status();
      case "leaderboard" -> new ShowLeaderboard();
      case "log" -> new Log(given);
      case "explain" -> new Explain(given);
      case "help", "start" -> new Help();
      case "pause" -> new Act(new Command.Pause());
      case "resume" ->
          new Act(
              new Command.Resume(
                  Optional.empty(), given.map(a -> a.replaceFirst("^without\\s+", ""))));
      case "stop" ->
          switch (argument) {
            case "" -> new AskStop();
            case "drain" -> new Act(new Command.Stop(Command.Stop.Mode.DRAIN));
            case "cancel" -> new Act(new Command.Stop(Command.Stop.Mode.CANCEL));
            default -> new Unclear("/stop takes 'drain' or 'cancel'");
          };
      case "skip" ->
          given.<Intent>map(p -> new Act(new Command.SkipProfile(p))).orElseGet(AskSkip::new);
      case "add" ->
          given
              .<Intent>map(Add::new)
              .orElseGet(() -> new Unclear("/add needs a name and what it sets"));
      case "budget" -> given.map(Intent::budget).orElseGet(ShowBudget::new);
      case "approve" ->
          given
              .<Intent>map(key -> new Act(new Command.Approve(key)))
              .orElseGet(() -> new Unclear("/approve needs the question's name"));
      case "asked" -> new Waiting();
      case "confirm" ->
          given
              .filter(id -> ASKED.matcher(id).matches())
              .<Intent>map(id -> new Answered(id, true))
              .orElseGet(
                  () -> new Unclear("/confirm needs the id of an assistant's request, such as a3"));
      case "deny" ->
          given
              .<Intent>map(
                  key ->
                      ASKED.matcher(key).matches()
                          ? new Answered(key, false)
                          : new Act(new Command.Deny(key)))
              .orElseGet(
                  () ->
                      new Unclear(
                          "/deny needs a question's name, or the id of an"
                              + " assistant's request, such as a3"));
      default -> new Unclear("there is no command /" + name);
    };
  }

  private static Intent budget(String text) {
    Matcher jobs = JOBS.matcher(text);
    Matcher nodeHours = NODE_HOURS.matcher(text);
    Matcher hours = HOURS.matcher(nodeHours.replaceAll(""));
    Optional<Double> newNodeHours =
        nodeHours.reset().find()
            ? Optional.of(Double.parseDouble(nodeHours.group(1)))
            : Optional.empty();
    Optional<Integer> newJobs =
        jobs.find() ? Optional.of(Integer.parseInt(jobs.group(1))) : Optional.empty();
    Optional<Duration> newHours =
        hours.find()
            ? Optional.of(Duration.ofSeconds(Math.round(3600 * Double.parseDouble(hours.group(1)))))
            : Optional.empty();
    return newJobs.isEmpty() && newHours.isEmpty() && newNodeHours.isEmpty()
        ? new Unclear("give a budget as '60 jobs', '9 hours', '40 node-hours' or several of them")
        : new Act(new Command.SetBudget(newJobs, newHours, newNodeHours));
  }

  private static Intent words(String text) {
    String words =
        text.toLowerCase(Locale.ROOT)
            .replaceAll("[!.?,]+", " ")
            .replaceAll("\\b(please|now|the sweep|it all|everything)\\b", " ")
            .strip()
            .replaceAll("\\s+", " ");
    if (List.of("stop", "cancel", "abort", "halt", "quit", "kill it", "stop it").contains(words)) {
      return new AskStop();
    }
    if (List.of("pause", "wait", "hold", "hold on").contains(words)) {
      return new Confirm(new Command.Pause());
    }
    if (List.of("resume", "continue", "go on", "go").contains(words)) {
      return new Confirm(new Command.Resume(Optional.empty(), Optional.empty()));
    }
    if (List.of("status", "how is it going", "how far", "progress").contains(words)) {
      return new Status();
    }
    if (List.of("leaderboard", "results", "best", "top").contains(words)) {
      return new ShowLeaderboard();
    }
    Matcher answer = ANSWER.matcher(words);
    if (answer.matches()) {
      return new Answered(answer.group(2), answer.group(1).equals("confirm"));
    }
    if (words.equals("help")) {
      return new Help();
    }
    if (words.matches("skip (that|this|it|the)?\\s*(one|config|profile)?")
        || words.equals("skip")) {
      return new AskSkip();
    }
    Matcher skip = Pattern.compile("(?i)skip\\s+(?:profile\\s+|config\\s+)?(\\S+)").matcher(text);
    if (skip.matches()) {
      return new Confirm(new Command.SkipProfile(skip.group(1)));
    }
    return new Unclear("I did not understand that");
  }
}
