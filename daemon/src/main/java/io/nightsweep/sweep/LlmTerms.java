package io.nightsweep.sweep;

import java.util.List;

/**
 * What the operator lets a language model do in one sweep. It proposes; measurements alone decide.
 *
 * @param model the name under which its endpoint serves it
 * @param share of the budget that runs of its profiles, with the controls that only they need, may
 *     take: 0.2 is a fifth
 * @param rounds how often it may be asked in a night
 * @param tokens of prompts and answers together, in a night
 * @param microDollars what prompts and answers may cost in a night, in millionths of a dollar; 0
 *     where nothing has a price
 * @param tells what is told to it beyond the parallelism, the metric and the occasion
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
    /** Its profiles run without being asked for, within the share. */
    RUN
  }

  /** A part of what is known, which leaves the house only where it is listed. */
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
    /** What it proposed before, in this night and in earlier ones, and what came of it. */
    REFUTED,
    /** Lines of logs, which strangers' programs wrote. */
    LOG_LINES
  }

  public LlmTerms {
    tells = List.copyOf(tells);
  }

  public boolean tells(Topic topic) {
    return tells.contains(topic);
  }
}
