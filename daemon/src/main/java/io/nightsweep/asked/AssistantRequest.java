package io.nightsweep.asked;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An assistant's request that waits, or waited, for a person.
 *
 * @param command the arguments of the command that a confirmation runs
 * @param digests of the files that the command reads, as they were at the time of the request:
 *     SHA-256 by path. Copies are stored beside the request; a person sees the copies, and the
 *     command reads them
 * @param until when the request expires
 */
public record AssistantRequest(
    String id,
    String assistant,
    String tool,
    List<String> command,
    Map<String, String> digests,
    Instant at,
    Instant until,
    Optional<Answered> answered) {
  /** The option that names the assistant for which a command runs. */
  public static final String ON_BEHALF_OF = "--on-behalf-of";

  /** The option that names the person who confirmed a command. */
  public static final String CONFIRMED_BY = "--confirmed-by";

  /** The option with which a command reports what would prevent it, and does nothing. */
  public static final String CHECK = "--check";

  /** The option that names the original file; a confirmed start reads its copy. */
  public static final String KNOWN_AS = "--known-as";

  private static final Set<String> ALWAYS_THERE = Set.of("--state", ON_BEHALF_OF);

  /**
   * A person's answer.
   *
   * @param exit exit status of the command, once a confirmed one has ended
   * @param says the command's output; may be empty
   */
  public record Answered(
      String by, Instant at, boolean confirmed, Optional<Integer> exit, String says) {}

  /** The command as people type it, without options that are in every request. */
  public String line() {
    return "nightsweep "
        + command.stream()
            .filter(word -> !ALWAYS_THERE.contains(word.split("=", 2)[0]))
            .collect(Collectors.joining(" "));
  }

  /** The request's status in one word. */
  public String stands(Instant now) {
    return answered.map(AssistantRequest::word).orElse(isWaiting(now) ? "waits" : "expired");
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

  AssistantRequest with(Answered answer) {
    return new AssistantRequest(
        id, assistant, tool, command, digests, at, until, Optional.of(answer));
  }
}
