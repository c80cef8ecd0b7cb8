package io.nightsweep.plan;

import io.nightsweep.files.Ours;
import io.nightsweep.files.SecretNames;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.LlmTerms.Topic;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code llm.yaml} of a state directory; without the file, no language model is used. */
public final class LlmFile {
  public static final String NAME = "llm.yaml";

  /**
   * The default topics: figures and names of public settings, but neither the model's name nor the
   * output of programs.
   */
  private static final List<Topic> USUAL =
      List.of(
          Topic.VERSIONS,
          Topic.CATALOGS,
          Topic.FINDINGS,
          Topic.LEADERBOARD,
          Topic.FAILURES,
          Topic.REFUTED);

  private static final double MILLION = 1e6;

  private LlmFile() {}

  /**
   * @param folder the state directory
   * @throws InvalidInputException with every problem found, each at its place
   */
  public static Optional<LlmSettings> load(Path folder) throws InvalidInputException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Problems problems = new Problems();
    try {
      Ours.check(file);
    } catch (IOException e) {
      problems.add(
          Place.startOf(NAME), String.valueOf(e.getMessage()), "expected a file of your own");
    }
    problems.throwIfAny();
    String text = SweepFile.text(file, NAME, "", problems);
    problems.throwIfAny();
    Yaml.Mapping root = YamlReader.read(NAME, text, problems);
    SchemaCheck.LLM.check(root, problems);
    problems.throwIfAny();
    Optional<URI> url = url(root, problems);
    root.scalar("keyVariable")
        .filter(name -> !SecretNames.isSecret(name.text()))
        .ifPresent(
            name ->
                problems.add(
                    name.place(),
                    "'keyVariable' is " + name.describe(),
                    "expected a name such as OPENAI_API_KEY, which shows that its value is a"
                        + " secret and has to be masked everywhere"));
    problems.throwIfAny();
    return Optional.of(settings(root, url.orElseThrow()));
  }

  private static Optional<URI> url(Yaml.Mapping root, Problems problems) {
    Yaml.Scalar written = root.scalar("url").orElseThrow();
    try {
      URI url = URI.create(written.text());
      if (url.getHost() != null) {
        return Optional.of(url);
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    problems.add(
        written.place(),
        "'url' is " + written.describe(),
        "expected an address such as http://127.0.0.1:8000/v1");
    return Optional.empty();
  }

  private static LlmSettings settings(Yaml.Mapping root, URI url) {
    List<Topic> tells =
        root.get("tells").isEmpty()
            ? USUAL
            : root.scalars("tells").stream()
                .map(s -> Topic.valueOf(s.text().replace('-', '_').toUpperCase(Locale.ROOT)))
                .toList();
    LlmTerms terms =
        new LlmTerms(
            LlmTerms.Mode.valueOf(upper(root, "mode")),
            root.text("model").orElseThrow(),
            number(root, "share", 0.3),
            (int) number(root, "rounds", 8),
            (long) number(root, "tokens", 200_000),
            Math.round(MILLION * number(root, "dollars", 0)),
            tells);
    return new LlmSettings(
        terms,
        LlmSettings.Dialect.valueOf(upper(root, "dialect")),
        url,
        root.text("keyVariable"),
        Duration.ofSeconds((long) number(root, "timeLimitSeconds", 120)),
        (int) number(root, "longestAnswerTokens", 4_096),
        root.text("answerLimit").orElse("max_tokens"),
        Math.round(MILLION * number(root, "inputDollarsPerMillionTokens", 0)),
        Math.round(MILLION * number(root, "outputDollarsPerMillionTokens", 0)),
        root.text("proxy"),
        root.text("certificates").map(Path::of));
  }

  private static String upper(Yaml.Mapping root, String key) {
    return root.text(key).orElseThrow().toUpperCase(Locale.ROOT);
  }

  private static double number(Yaml.Mapping root, String key, double usual) {
    return root.scalar(key).flatMap(Values::number).orElse(usual);
  }
}
