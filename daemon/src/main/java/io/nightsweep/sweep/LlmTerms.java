package io.nightsweep.sweep;

import java.util.List;

/**
 * What the operator allows a language model to do in one sweep. The model proposes; only
 * measurements decide.
 *
 * @param model its name at the endpoint
 * @param share of the budget that runs of its profiles, with the controls that only they need, may
 *     use: 0.2 is a fifth
 * @param rounds how often it may be queried in a night
 * @param tokens of prompts and answers together, in a night
 * @param microDollars what prompts and answers may cost in a night, in millionths of a dollar; 0 if
 *     nothing has a price
 * @param tells what prompts may contain beyond the parallelism, the metric and the occasion
 */
public record LlmTerms(
    Mode mode,
    String model,
    double share,
    int rounds,
    long tokens,
    long microDollars,
    List<Topic> tells) {
  public enum Mode {
    /** A person approves each profile. */
    SUGGEST,
    /** Its profiles run without approval, within the share. */
    RUN
  }

  /** A category of information that is sent to the model only if it is listed. */
  public enum Topic {
    /** The trained model's name. */
    MODEL,
    /** Commits, versions and the image's digest. */
    VERSIONS,
    /** The workload's own settings. */
    SETTINGS,
    CATALOGS,
    FINDINGS,
    LEADERBOARD,
    FAILURES,
    /** What the model proposed before, in this night and in earlier ones, with the results. */
    REFUTED,
    /** Lines of logs, which other people's programs wrote. */
    LOG_LINES
  }

  public LlmTerms {
    tells = List.copyOf(tells);
  }

  public boolean tells(Topic topic) {
    return tells.contains(topic);
  }
}
