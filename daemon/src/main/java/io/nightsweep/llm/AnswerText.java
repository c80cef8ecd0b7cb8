package io.nightsweep.llm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.files.Plain;
import io.nightsweep.journal.Json;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.Hypothesis.Signal;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads an answer: one JSON object that fits the schema, or nothing of it counts. Whatever it says
 * is data; a proposal is taken only where the gate has no word against it.
 */
public final class AnswerText {
  private static final int LONGEST_NAME = 60;
  private static final int LONGEST_TEXT = 400;
  private static final int LONGEST_PROSE = 1_000;

  private final SweepState s;
  private final Leaderboard board;
  private final Function<Profile, Optional<String>> gate;
  private final List<Hypothesis> hypotheses = new ArrayList<>();
  private final List<LlmAnswer.Refusal> refusals = new ArrayList<>();
  private final Set<String> hashes = new HashSet<>();

  /**
   * @param gate why a profile is not taken; the same for a person's assistant
   */
  public AnswerText(SweepState s, Leaderboard board, Function<Profile, Optional<String>> gate) {
    this.s = s;
    this.board = board;
    this.gate = gate;
  }

  /** What was read, without hashes and counts; malformed where it is not what was asked for. */
  public LlmAnswer read(String text) {
    JsonNode answer;
    try {
      answer = Json.mapper().readTree(unfenced(text));
    } catch (JsonProcessingException e) {
      return malformed("it is no JSON: " + e.getOriginalMessage());
    }
    Optional<String> problem = AnswerSchema.problem(answer);
    if (problem.isPresent()) {
      return malformed(problem.get());
    }
    answer.path("hypotheses").forEach(this::take);
    Claims claims = new Claims(s, board);
    List<LlmAnswer.Claim> checked = new ArrayList<>();
    for (JsonNode claim : answer.path("claims")) {
      checked.add(
          claims.checked(
              Plain.text(claim.path("subject").asText(), LONGEST_NAME * 2),
              LlmAnswer.Claim.Relation.valueOf(claim.path("relation").asText()),
              claim.path("figure").asDouble()));
    }
    return new LlmAnswer(
        LlmAnswer.LlmOutcome.READ,
        "",
        "",
        "",
        0,
        0,
        0,
        hypotheses,
        refusals,
        checked,
        Plain.text(answer.path("prose").asText(""), LONGEST_PROSE));
  }

  /** Models put a fence around what they write even where they are asked not to. */
  private static String unfenced(String text) {
    String stripped = text.strip();
    return stripped.startsWith("```") && stripped.endsWith("```") && stripped.indexOf('\n') > 0
        ? stripped.substring(stripped.indexOf('\n'), stripped.length() - 3)
        : stripped;
  }

  private static LlmAnswer malformed(String why) {
    return LlmAnswer.none(LlmAnswer.LlmOutcome.MALFORMED, Plain.text(why, LONGEST_TEXT));
  }

  private void take(JsonNode written) {
    String name = Hypothesis.PREFIX + s.llm().rounds().size() + "-" + written.path("name").asText();
    Profile profile =
        Profile.of(
            name,
            settings(written.path("flags")),
            settings(written.path("env")),
            settings(written.path("overrides")));
    double low = written.at("/expectedPercent/low").asDouble();
    double high = written.at("/expectedPercent/high").asDouble();
    Optional<String> refusal = unfit(profile, low, high).or(() -> gate.apply(profile));
    if (refusal.isPresent()) {
      refusals.add(new LlmAnswer.Refusal(name, Plain.text(refusal.get(), LONGEST_TEXT)));
      return;
    }
    hypotheses.add(
        new Hypothesis(
            profile,
            Plain.text(written.path("mechanism").asText(), LONGEST_TEXT),
            new Signal(
                Signal.Source.valueOf(written.at("/signal/source").asText()),
                Plain.text(written.at("/signal/name").asText(), LONGEST_NAME * 2),
                Signal.Change.valueOf(written.at("/signal/change").asText())),
            Plain.text(written.path("falsifier").asText(), LONGEST_TEXT),
            written.path("refutedBelowPercent").asDouble(),
            low,
            high));
  }

  private Optional<String> unfit(Profile profile, double low, double high) {
    if (profile.flags().isEmpty() && profile.env().isEmpty() && profile.overrides().isEmpty()) {
      return Optional.of("it sets nothing");
    }
    if (low > high || high <= 0) {
      return Optional.of("it expects no gain: from %s %% to %s %%".formatted(low, high));
    }
    return hashes.add(profile.hash())
        ? Optional.empty()
        : Optional.of("another hypothesis of the answer sets the same");
  }

  private static Map<String, String> settings(JsonNode written) {
    Map<String, String> settings = new TreeMap<>();
    written.properties().forEach(e -> settings.put(e.getKey(), e.getValue().asText()));
    return settings;
  }
}
