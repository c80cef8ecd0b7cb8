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
 *     path. Copies of them are kept beside the request; a person is shown those, and the command
 *     reads those
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

  /** The option by which a command says what speaks against it, and does nothing. */
  public static final String CHECK = "--check";

  /** The option that names the original file; a confirmed start reads its copy. */
  public static final String KNOWN_AS = "--known-as";

  private static final Set<String> ALWAYS_THERE = Set.of("--state", ON_BEHALF_OF);

  /**
   * What a person said.
   *
   * @param exit of the command, once a confirmed one has ended
   * @param says what the command told, or nothing
   */
  public record Answered(
      String by, Instant at, boolean confirmed, Optional<Integer> exit, String says) {}

  /** The command as people type it, without what is the same for every request. */
  public String line() {
    return "nightsweep "
        + command.stream()
            .filter(word -> !ALWAYS_THERE.contains(word.split("=", 2)[0]))
            .collect(Collectors.joining(" "));
  }

  /** One word for how it stands. */
  public String stands(Instant now) {
    return answered.map(Asked::word).orElse(isWaiting(now) ? "waits" : "expired");
  }

  /** Whether a person can still answer it. */
  public boolean isWaiting(Instant now) {
    return answered.isEmpty() && now.isBefore(until);
  }

  private static String word(Answered answer) {
    return answer.confirmed()
        ? answer.exit().map(exit -> exit == 0 ? "done" : "failed").orElse("under-way")
        : "denied";
  }

  Asked with(Answered answer) {
    return new Asked(id, assistant, tool, command, digests, at, until, Optional.of(answer));
  }
}
