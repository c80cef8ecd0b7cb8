package io.nightsweep.asked;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A call of an assistant that waits for a person, or did.
 *
 * @param command the arguments of the command that a confirmation runs
 * @param digests of the files that the command reads, as they were when it was asked: SHA-256 by
 *     path, so that what a person confirms is what was shown
 * @param until from when on nobody can confirm it any more
 */
public record Asked(
    String id,
    String assistant,
    String tool,
    List<String> command,
    Map<String, String> digests,
    Instant at,
    Instant until,
    Optional<Answered> answered) {
  /** The option by which a command is said to be an assistant's. */
  public static final String ON_BEHALF_OF = "--on-behalf-of";

  /** The option by which a command is said to be confirmed by a person. */
  public static final String CONFIRMED_BY = "--confirmed-by";

  private static final Set<String> ALWAYS_THERE = Set.of("--state", ON_BEHALF_OF);

  /**
   * What a person said.
   *
   * @param says what the command told, or nothing
   */
  public record Answered(String by, Instant at, boolean confirmed, String says) {}

  /** The command as people type it, without what is the same for every request. */
  public String line() {
    return "nightsweep "
        + command.stream()
            .filter(word -> !ALWAYS_THERE.contains(word.split("=", 2)[0]))
            .collect(Collectors.joining(" "));
  }

  /** One word for how it stands. */
  public String stands(Instant now) {
    return answered
        .map(a -> a.confirmed() ? "confirmed" : "denied")
        .orElse(now.isBefore(until) ? "waits" : "expired");
  }

  Asked with(Answered answer) {
    return new Asked(id, assistant, tool, command, digests, at, until, Optional.of(answer));
  }
}
