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
import io.nightsweep.sweep.Statement;
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
 * Reads an answer. Only a JSON object that fits the schema is used. Its content is untrusted, and
 * the gate may refuse each proposal.
 */
public final class AnswerText {
  private static final int LONGEST_NAME = 60;
  private static final int LONGEST_TEXT = 400;
  private static final int LONGEST_PROSE = 1_000;

  /**
   * A smaller predicted gain would not matter; no compiler setting has ever brought a greater one.
   */
  private static final double LEAST_GAIN_PERCENT = 0.2;

  private static final double GREATEST_GAIN_PERCENT = 50;

  /**
   * Limit on the width of a prediction: its high end may be this factor times its low end, plus
   * this many percent.
   */
  private static final double WIDEST_FACTOR = 4;

  private static final double WIDEST_PERCENT = 5;

  private final SweepState s;
  private final Leaderboard board;
  private final Function<Profile, Optional<Statement>> gate;
  private final List<Hypothesis> hypotheses = new ArrayList<>();
  private final List<LlmAnswer.Refusal> refusals = new ArrayList<>();
  private final Set<String> hashes = new HashSet<>();

  /**
   * @param gate says why a profile is refused; assistants' profiles pass the same gate
   */
  public AnswerText(SweepState s, Leaderboard board, Function<Profile, Optional<Statement>> gate) {
    this.s = s;
    this.board = board;
    this.gate = gate;
  }

  /**
   * Reads the text, without hashes and counts; the answer is malformed where the text does not fit
   * the schema.
   */
  public LlmAnswer read(String text) {
    JsonNode answer;
    try {
      answer = Json.mapper().readTree(unfenced(text));
    } catch (JsonProcessingException e) {
      return malformed(Statement.phrase("file-no-json", e.getOriginalMessage()));
    }
    Optional<String> problem = AnswerSchema.problem(answer);
    if (problem.isPresent()) {
      return malformed(Statement.words(problem.get()));
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
        Statement.NONE,
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

  /** Removes a Markdown code fence, which models add even when told not to. */
  private static String unfenced(String text) {
    String stripped = text.strip();
    return stripped.startsWith("```") && stripped.endsWith("```") && stripped.indexOf('\n') > 0
        ? stripped.substring(stripped.indexOf('\n'), stripped.length() - 3)
        : stripped;
  }

  private static LlmAnswer malformed(Statement why) {
    return LlmAnswer.none(LlmAnswer.LlmOutcome.MALFORMED, plain(why));
  }

  private static Statement plain(Statement why) {
    return why.withTexts(text -> Plain.text(text, LONGEST_TEXT));
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
    double refutedBelow = written.path("refutedBelowPercent").asDouble();
    Optional<Statement> refusal =
        unfalsifiable(low, high, refutedBelow)
            .or(() -> unfit(profile))
            .or(() -> gate.apply(profile));
    if (refusal.isPresent()) {
      refusals.add(new LlmAnswer.Refusal(name, plain(refusal.get())));
      return;
    }
    hypotheses.add(
        new Hypothesis(
            profile,
            Plain.text(written.path("mechanism").asText(), LONGEST_TEXT),
            new Signal(
                Signal.SignalSource.valueOf(written.at("/signal/source").asText()),
                Plain.text(written.at("/signal/name").asText(), LONGEST_NAME * 2),
                Signal.ExpectedChange.valueOf(written.at("/signal/change").asText())),
            Plain.text(written.path("falsifier").asText(), LONGEST_TEXT),
            refutedBelow,
            low,
            high));
  }

  /** Why the prediction is too vague: one that no measurement could refute says nothing. */
  private static Optional<Statement> unfalsifiable(double low, double high, double refutedBelow) {
    double widest = WIDEST_FACTOR * low + WIDEST_PERCENT;
    return low >= LEAST_GAIN_PERCENT
            && high >= low
            && high <= Math.min(widest, GREATEST_GAIN_PERCENT)
            && refutedBelow > 0
            && refutedBelow <= low
        ? Optional.empty()
        : Optional.of(
            Statement.phrase(
                "llm-vague", low, high, refutedBelow, LEAST_GAIN_PERCENT, GREATEST_GAIN_PERCENT));
  }

  private Optional<Statement> unfit(Profile profile) {
    if (profile.flags().isEmpty() && profile.env().isEmpty() && profile.overrides().isEmpty()) {
      return Optional.of(Statement.phrase("llm-sets-nothing"));
    }
    Optional<String> earlier =
        s.llm()
            .hypotheses()
            .map(Hypothesis::profile)
            .filter(p -> p.hash().equals(profile.hash()))
            .map(Profile::name)
            .findFirst();
    if (earlier.isPresent()) {
      return Optional.of(Statement.phrase("llm-set-before", earlier.get()));
    }
    return hashes.add(profile.hash())
        ? Optional.empty()
        : Optional.of(Statement.phrase("llm-set-twice"));
  }

  private static Map<String, String> settings(JsonNode written) {
    Map<String, String> settings = new TreeMap<>();
    written.properties().forEach(e -> settings.put(e.getKey(), e.getValue().asText()));
    return settings;
  }
}
