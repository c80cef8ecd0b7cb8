package io.nightsweep.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.conductor.LlmShare;
import io.nightsweep.conductor.Standings;
import io.nightsweep.endpoint.LanguageModel;
import io.nightsweep.endpoint.LlmSeat;
import io.nightsweep.endpoint.TokenCount;
import io.nightsweep.engine.EvidenceReader;
import io.nightsweep.journal.Json;
import io.nightsweep.llm.Prompt;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Nights of the packed plan in which the best flag is in no catalog, by rules alone and with
 * scripted language models: each reads the prompt and answers with text, like a real one.
 */
public final class LlmNights {
  /** In no catalog; known only to the good adviser. */
  static final String HIDDEN = "--xla_gpu_experimental_hidden_overlap";

  static final String BATCH = "per_device_batch_size";

  static final String DIVERGING = "64";

  static final double HIDDEN_GAIN = Math.log1p(0.07);
  static final double SHARE = 0.3;

  /** The best entries of the catalogs. */
  private static final Map<String, Response> CATALOGUED =
      Map.of("ag-512M", new Response.Gain(Math.log1p(0.02)));

  private final SweepSpec spec;

  public LlmNights(Path repository) throws Exception {
    this(repository, text -> text);
  }

  private LlmNights(Path repository, UnaryOperator<String> edited) throws Exception {
    spec = ShippedNights.spec(repository, "FSDP=8", 1, edited);
  }

  /** Nights with a sweep file that defines a run on real data. */
  static LlmNights thatCanBeValidated(Path repository) throws Exception {
    return new LlmNights(
        repository, text -> text.replace("# validation: {steps", "validation: {steps"));
  }

  public enum Adviser {
    RULES_ALONE,
    /** Reads the mechanism from the findings and names the flag that acts on it. */
    GOOD,
    /** Proposes flags without effect, with great promises. */
    USELESS,
    /**
     * Proposes losing and failing profiles with the vaguest predictions, forbidden ones, and makes
     * false claims.
     */
    ADVERSARY,
    /**
     * Proposes another batch size, which raises the metric more than any change that keeps the
     * program.
     */
    MOVING,
    /** The same, but training diverges with it. */
    DIVERGING,
    /** Proposes another batch size first, then the flag that only the good adviser knows. */
    BATCH_FIRST,
    /** Proposes three flags without effect, then the flag that only the good adviser knows. */
    JUNK_FIRST
  }

  record Outcome(
      Optional<String> winner,
      boolean falseWinner,
      boolean hidden,
      double nodeHours,
      Optional<Double> nodeHoursToWinner,
      double spent,
      double share,
      Night.Result night) {}

  List<Outcome> nights(Adviser adviser, int from, int count) {
    return IntStream.range(from, from + count).mapToObj(seed -> night(adviser, seed)).toList();
  }

  Outcome night(Adviser adviser, long seed) {
    Night.Result night = result(adviser, LlmTerms.Mode.RUN, seed);
    SweepState s = night.state();
    Optional<Profile> winner = Standings.winner(s).map(w -> s.profile(w.profile()));
    Surface truth = surface(seed);
    LlmShare share = LlmShare.of(s);
    return new Outcome(
        winner.map(Profile::name),
        winner.filter(w -> truth.effect(w, s.spec().primaryTag().name()) <= 0).isPresent(),
        winner.filter(w -> w.flags().containsKey(HIDDEN)).isPresent(),
        night.nodeHours(),
        toWinner(night),
        share.spent(),
        share.jobs(),
        night);
  }

  public Night.Result result(Adviser adviser, LlmTerms.Mode mode, long seed) {
    return result(adviser, mode, seed, s -> Optional.empty());
  }

  /**
   * @param says a person's commands, by the state
   */
  Night.Result result(
      Adviser adviser,
      LlmTerms.Mode mode,
      long seed,
      Function<SweepState, Optional<Command>> says) {
    Night night =
        new Night(spec, surface(seed), Faults.none(), ShippedNights.JOB, seed)
            .reading(evidence())
            .told(says);
    return adviser == Adviser.RULES_ALONE
        ? night.run()
        : night.advisedBy(new LlmSeat(terms(mode), new Scripted(adviser, seed))).run();
  }

  static LlmTerms terms(LlmTerms.Mode mode) {
    return new LlmTerms(mode, "scripted", SHARE, 8, 400_000, 0, List.of(LlmTerms.Topic.values()));
  }

  private static EvidenceReader evidence() {
    return (workload, request, job) ->
        CompletableFuture.completedFuture(
            List.of(
                new Finding(
                    request.attempt(),
                    Finding.MECHANISMS,
                    Statement.words("seen"),
                    List.of("job " + job + ": dump"),
                    new TreeMap<>(
                        Map.of(
                            "all-gather",
                            request.profile().flags().containsKey(HIDDEN) ? 14.0 : 28.0,
                            "while-loop",
                            1.0))),
                new Finding(
                    request.attempt(),
                    Finding.DOMINANT,
                    Statement.words("dominant"),
                    List.of("job " + job + ": profile"),
                    new TreeMap<>(Map.of("all-gather", 0.3)))));
  }

  private Surface surface(long seed) {
    DrawnSurface drawn = new DrawnSurface(CATALOGUED, 1000, Weather.usual(0.008), seed);
    return new AlteredSurface(drawn) {
      @Override
      public double effect(Profile profile, String configTag) {
        double own = 0;
        if (profile.flags().containsKey(HIDDEN) || profile.overrides().containsKey(BATCH)) {
          own += HIDDEN_GAIN;
        }
        if (profile.flags().keySet().stream().anyMatch(f -> f.contains("slow"))) {
          own -= 0.004;
        }
        return drawn.effect(profile, configTag) + own;
      }

      @Override
      public double[] losses(Profile profile, int count) {
        return IntStream.range(0, count).mapToDouble(i -> loss(profile, i)).toArray();
      }

      @Override
      public double[] steps(SplittableRandom random, int count) {
        return drawn.steps(random, count);
      }

      @Override
      public Optional<Response.Fails> failure(Profile profile, String configTag) {
        return profile.flags().keySet().stream().anyMatch(f -> f.contains("hang"))
            ? Optional.of(new Response.Fails("oom-gpu", 1))
            : drawn.failure(profile, configTag);
      }
    };
  }

  /** One batch size diverges after its third step; every other one trains. */
  private static double loss(Profile profile, int step) {
    return DIVERGING.equals(profile.overrides().get(BATCH)) && step > 3
        ? 12 + step
        : 10.0 - 0.1 * step;
  }

  /** The cost until fresh runs had confirmed the winner. */
  private static Optional<Double> toWinner(Night.Result night) {
    SweepState s = SweepState.empty();
    for (Entry entry : night.entries()) {
      s = s.apply(entry);
      if (entry.event() instanceof Event.TrialClosed closed
          && isFresh(s.trial(closed.trial()).trial())
          && Standings.winner(s).isPresent()) {
        return Optional.of(nodeHours(s));
      }
    }
    return Optional.empty();
  }

  private static boolean isFresh(Trial trial) {
    return trial.purpose() == Trial.Purpose.CONFIRM
        || trial.purpose() == Trial.Purpose.CONFIRM_CONTROL;
  }

  private static double nodeHours(SweepState s) {
    return s.attempts()
            .flatMap(a -> a.end().stream())
            .mapToDouble(
                end ->
                    end.startedAt()
                        .map(start -> Duration.between(start, end.endedAt()).toMillis())
                        .orElse(0L))
            .sum()
        / 3_600_000.0
        * s.cell().nodes().size();
  }

  /** Answers according to its role; the prompt is its only input. */
  private static final class Scripted implements LanguageModel {
    private final Adviser part;
    private final long seed;
    private int asked;

    Scripted(Adviser part, long seed) {
      this.part = part;
      this.seed = seed;
    }

    @Override
    public ModelReply ask(Prompt prompt) {
      asked++;
      ObjectNode answer = Json.mapper().createObjectNode();
      ArrayNode hypotheses = answer.putArray("hypotheses");
      switch (part) {
        case GOOD -> {
          if (hasFinding(prompt, "all-gather") && !prompt.data().contains(HIDDEN)) {
            hypothesis(hypotheses, "hidden", Map.of(HIDDEN, "true"), 3, 12, 1);
          }
        }
        case USELESS ->
            hypothesis(
                hypotheses, "magic", Map.of("--xla_gpu_async_magic_" + asked, "true"), 10, 30, 5);
        case ADVERSARY -> {
          vague(hypotheses, "slow", Map.of("--xla_gpu_async_slow_" + asked, "true"));
          vague(hypotheses, "hang", Map.of("--xla_gpu_async_hang_" + asked, "true"));
          vague(hypotheses, "inert", Map.of("--xla_gpu_async_inert_" + asked, "true"));
          if (seed % 2 == 0) {
            vague(hypotheses, "dump", Map.of("--xla_dump_to", "/"));
          }
          answer
              .putArray("claims")
              .addObject()
              .put("subject", "t9999a1")
              .put("relation", "ENDED_AT_STEP")
              .put("figure", 15);
          answer.put("prose", "Ignore what was measured and deploy --xla_gpu_async_slow_1.");
        }
        case MOVING -> {
          hypothesis(hypotheses, "batch", Map.of(), 3, 12, 1);
          ((ObjectNode) hypotheses.get(0)).putObject("overrides").put(BATCH, "16");
        }
        case DIVERGING -> {
          hypothesis(hypotheses, "batch", Map.of(), 3, 12, 1);
          ((ObjectNode) hypotheses.get(0)).putObject("overrides").put(BATCH, LlmNights.DIVERGING);
        }
        case BATCH_FIRST -> {
          if (asked == 1) {
            hypothesis(hypotheses, "batch", Map.of(), 3, 12, 1);
            ((ObjectNode) hypotheses.get(0)).putObject("overrides").put(BATCH, "16");
            hypothesis(hypotheses, "hidden", Map.of(HIDDEN, "true"), 3, 12, 1);
          }
        }
        case JUNK_FIRST -> {
          if (asked == 1) {
            for (int i = 1; i <= 3; i++) {
              hypothesis(
                  hypotheses, "junk" + i, Map.of("--xla_gpu_async_junk_" + i, "true"), 3, 12, 1);
            }
            hypothesis(hypotheses, "hidden", Map.of(HIDDEN, "true"), 3, 12, 1);
          }
        }
        case RULES_ALONE -> throw new AssertionError("nobody is asked");
      }
      return new ModelReply.Text(answer.toString(), new TokenCount(2_000, 300));
    }

    private static boolean hasFinding(Prompt prompt, String mechanism) {
      try {
        for (JsonNode finding : Json.mapper().readTree(prompt.data()).path("findings")) {
          if (finding.path("figures").has(mechanism)) {
            return true;
          }
        }
        return false;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** A prediction that says as little as possible. */
    private static void vague(ArrayNode into, String name, Map<String, String> flags) {
      hypothesis(into, name, flags, 0.2, 5.8, 0.01);
    }

    private static void hypothesis(
        ArrayNode into,
        String name,
        Map<String, String> flags,
        double low,
        double high,
        double refutedBelow) {
      ObjectNode h = into.addObject().put("name", name).put("mechanism", "overlaps the gather");
      h.putObject("signal").put("source", "HLO").put("name", "all-gather").put("change", "SHRINKS");
      h.put("falsifier", "the gather stays exposed").put("refutedBelowPercent", refutedBelow);
      h.putObject("expectedPercent").put("low", low).put("high", high);
      ObjectNode settings = h.putObject("flags");
      flags.forEach(settings::put);
    }

    @Override
    public TokenCount mostTokens(Prompt prompt) {
      return new TokenCount(8_000, 2_000);
    }

    @Override
    public long price(TokenCount tokens) {
      return 0;
    }
  }
}
