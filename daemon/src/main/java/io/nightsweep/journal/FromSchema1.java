package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts events of schema 1, which stored causes as English sentences, to schema 2. A sentence
 * that schema 1 never wrote is kept unchanged.
 */
final class FromSchema1 {
  private static final Pattern UNKNOWN_FLAGS =
      Pattern.compile("the build does not know --.*", Pattern.DOTALL);
  private static final Pattern FLAG = Pattern.compile("--xla_[A-Za-z0-9_]+");
  private static final Pattern BUDGET =
      Pattern.compile("the budget allows no more runs for ([A-Z_]+)");
  private static final Pattern RACED =
      Pattern.compile(
          "([+-][0-9.]+) % after (\\d+) runs?; the chance of ([+-][0-9.]+) % or more is ([0-9.]+) %");
  private static final Pattern BEHIND =
      Pattern.compile(
          "([+-][0-9.]+) % after (\\d+) steady steps, and run-to-run noise is ([0-9.]+) %");
  private static final Pattern MECHANISM =
      Pattern.compile("the compiled step has no (.*) \\((.*)\\)");
  private static final Pattern FAILED = Pattern.compile("([a-z0-9-]+): (.*)", Pattern.DOTALL);
  private static final Pattern LOSS = Pattern.compile("the loss is .*");

  private static final Map<String, String> NEEDS =
      Map.of(
          "the target gain is reached", "TARGET_NOT_MET",
          "no profile may still gain over the baseline", "CONTENDER",
          "no winner is confirmed", "WINNER",
          "no profile's replicate would decide anything", "REPLICATE_THAT_DECIDES",
          "no profile is worth confirming", "PROFILE_WORTH_CONFIRMING",
          "no profile is left for it", "PROFILE",
          "fewer than two singles are ahead", "TWO_SINGLES_AHEAD",
          "no stack is left", "STACK");

  private static final Map<String, String> PLAIN =
      Map.of(
          "skipped by command", "SkippedByCommand",
          "the sweep was stopped", "SweepStopped",
          "everything is measured anew on another nodelist", "NodesChanged");

  private FromSchema1() {}

  static ObjectNode upgraded(ObjectNode event) {
    switch (event.path("type").asText()) {
      case "SweepStarted" -> {
        if (event.at("/spec/playbook/recognition") instanceof ObjectNode recognition) {
          recognition(recognition);
        }
        if (event.at("/spec/policy") instanceof ObjectNode policy) {
          policy.putNull("expectedJob");
        }
      }
      case "WaveSkipped", "ProfileDropped" -> reasonToCause(event);
      case "TrialClosed" -> {
        if (event.get("disposition") instanceof ObjectNode disposition
            && disposition.path("type").asText().equals("Dropped")) {
          reasonToCause(disposition);
        }
      }
      case "RemedyEnded" ->
          event.put(
              "why",
              switch (text(event.remove("because"))) {
                case "a step failed" -> "A_STEP_FAILED";
                case "its limit is reached" -> "LIMIT_REACHED";
                default -> "STEPS_DONE";
              });
      case "FindingMade" -> {
        if (event.get("finding") instanceof ObjectNode finding
            && finding.path("kind").asText().equals("unknown-flags")
            && finding.get("figures") instanceof ObjectNode figures) {
          FLAG.matcher(text(finding.get("statement")))
              .results()
              .forEach(flag -> figures.put(flag.group(), 1.0));
        }
      }
      default -> {}
    }
    return event;
  }

  /** Schema 1 had no echoes and no common forms of errors, and never set a line's distance. */
  private static void recognition(ObjectNode recognition) {
    recognition.putArray("echoes");
    ObjectNode errors = recognition.putObject("errors");
    List.of("tracebacks", "raised", "fatal", "plain").forEach(errors::putArray);
    for (JsonNode signature : recognition.path("classes").findValues("signatures")) {
      signature.forEach(
          s -> {
            if (s instanceof ObjectNode one) {
              one.put("echo", false);
              one.path("clues").forEach(FromSchema1::withoutDistance);
            }
          });
    }
  }

  private static void withoutDistance(JsonNode clue) {
    if (clue instanceof ObjectNode line && line.path("type").asText().equals("Line")) {
      line.remove("within");
    }
  }

  private static void reasonToCause(ObjectNode node) {
    String sentence = text(node.remove("reason"));
    ObjectNode why = node.putObject("why");
    cause(sentence, why);
    if (why.path("type").asText().equals("Told")
        && node.path("cause").asText().equals("UNSUPPORTED")) {
      why.removeAll();
      why.put("type", "Unsupported").put("detail", sentence);
    }
  }

  private static void cause(String sentence, ObjectNode why) {
    if (NEEDS.containsKey(sentence)) {
      why.put("type", "NotNeeded").put("need", NEEDS.get(sentence));
      return;
    }
    if (PLAIN.containsKey(sentence)) {
      why.put("type", PLAIN.get(sentence));
      return;
    }
    for (ToldCause told : TOLD) {
      Matcher m = told.pattern().matcher(sentence);
      if (m.matches()) {
        told.fields().accept(m, why);
        return;
      }
    }
    why.put("type", "Told").put("sentence", sentence);
  }

  /** A sentence of schema 1 and the fields that it contains; the first matching pattern applies. */
  private record ToldCause(Pattern pattern, BiConsumer<Matcher, ObjectNode> fields) {}

  private static final List<ToldCause> TOLD =
      List.of(
          new ToldCause(BUDGET, (m, why) -> why.put("type", "BudgetSpent").put("wave", m.group(1))),
          new ToldCause(
              RACED,
              (m, why) ->
                  why.put("type", "RacedOut")
                      .put("percent", number(m, 1))
                      .put("runs", integer(m, 2))
                      .put("worthwhilePercent", number(m, 3))
                      .put("chancePercent", number(m, 4))),
          new ToldCause(
              BEHIND,
              (m, why) ->
                  why.put("type", "Behind")
                      .put("percent", number(m, 1))
                      .put("steps", integer(m, 2))
                      .put("noisePercent", number(m, 3))),
          new ToldCause(
              MECHANISM,
              (m, why) -> {
                why.put("type", "NoMechanism");
                list(why.putArray("mechanisms"), m.group(1).split(" and no ", -1));
                list(why.putArray("sources"), m.group(2).split(", ", -1));
              }),
          new ToldCause(
              UNKNOWN_FLAGS,
              (m, why) -> {
                ArrayNode flags = why.put("type", "UnknownFlags").putArray("flags");
                FLAG.matcher(m.group()).results().forEach(flag -> flags.add(flag.group()));
              }),
          new ToldCause(LOSS, (m, why) -> why.put("type", "OtherResult").put("finding", m.group())),
          new ToldCause(
              FAILED,
              (m, why) ->
                  why.put("type", "FailedAs")
                      .put("failureClass", m.group(1))
                      .put("detail", m.group(2))));

  private static void list(ArrayNode array, String... items) {
    List.of(items).forEach(array::add);
  }

  private static double number(Matcher m, int group) {
    return Double.parseDouble(m.group(group));
  }

  private static int integer(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }

  private static String text(@Nullable JsonNode node) {
    return node == null ? "" : node.asText();
  }
}
