package io.nightsweep.asked;

import io.nightsweep.files.Masking;
import io.nightsweep.files.Plain;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Carries out or drops assistants' requests as a person decides, in the same way for command line,
 * chat and page. A request is carried out at most once, and none of an assistant's tools can
 * confirm it.
 */
public final class Confirming {
  /** A longer line is split for display. */
  private static final int LONGEST_LINE = 200;

  private static final int MOST_SAID = 4_000;

  private final AskedFor asked;
  private final Commands commands;
  private final InstantSource clock;

  public Confirming(AskedFor asked, Commands commands, InstantSource clock) {
    this.asked = asked;
    this.commands = commands;
    this.clock = clock;
  }

  /** The requests that wait for an answer, the oldest first. */
  public List<AssistantRequest> waiting() throws IOException {
    return asked.all().stream().filter(a -> a.isWaiting(clock.instant())).toList();
  }

  /** The requests that the chat has not announced yet. */
  public List<AssistantRequest> untold() throws IOException {
    return waiting().stream().filter(a -> !asked.isTold(a)).toList();
  }

  /** Stores on disk that people were told. */
  public void told(AssistantRequest call) throws IOException {
    asked.told(call);
  }

  /**
   * @throws RefusedException where it can no longer be confirmed, with what to do
   */
  public AssistantRequest confirmable(String id) throws IOException, RefusedException {
    return asked.confirmable(id, clock.instant());
  }

  /**
   * The complete files that the request reads, as they were when it was made and as the command
   * will read them.
   */
  public List<String> files(AssistantRequest call) {
    List<String> lines = new ArrayList<>();
    for (String file : call.digests().keySet()) {
      lines.add(file + ":");
      try {
        Masking.of(asked.text(call, file)).lines().flatMap(Confirming::shown).forEach(lines::add);
      } catch (RefusedException e) {
        lines.add("  " + e.getMessage());
      }
    }
    return lines;
  }

  private static Stream<String> shown(String line) {
    return line.isEmpty()
        ? Stream.of("  | ")
        : IntStream.iterate(0, at -> at < line.length(), at -> at + LONGEST_LINE)
            .mapToObj(
                at ->
                    (at == 0 ? "  | " : "  : ")
                        + Plain.text(
                            line.substring(at, Math.min(at + LONGEST_LINE, line.length())),
                            LONGEST_LINE));
  }

  /**
   * Carries the request out.
   *
   * @param who confirmed it, and where
   * @throws RefusedException where it no longer waits, or a file that it reads was changed
   */
  public Commands.CommandResult confirm(String id, String who)
      throws IOException, RefusedException, InterruptedException {
    AssistantRequest call = confirmable(id);
    asked.take(call, answer(who, true, Optional.empty(), "is being carried out"));
    Commands.CommandResult outcome = commands.run(confirmed(call, who));
    String said = Masking.of((outcome.out() + outcome.err()).strip());
    asked.tell(
        call,
        answer(
            who,
            true,
            Optional.of(outcome.exit()),
            said.substring(0, Math.min(MOST_SAID, said.length()))));
    return outcome;
  }

  /** Denies the request; the assistant sees the answer. */
  public void deny(String id, String who) throws IOException, RefusedException {
    asked.take(asked.waiting(id, clock.instant()), answer(who, false, Optional.empty(), "denied"));
  }

  private AssistantRequest.Answered answer(
      String who, boolean confirmed, Optional<Integer> exit, String says) {
    return new AssistantRequest.Answered(who, clock.instant(), confirmed, exit, says);
  }

  /**
   * The command with the copies of its files; a command that names its assistant also names the
   * person who confirmed it.
   */
  private List<String> confirmed(AssistantRequest call, String who) {
    List<String> words = new ArrayList<>();
    for (String word : call.command()) {
      boolean isFile = call.digests().containsKey(word);
      words.add(isFile ? asked.copy(call, word).toString() : word);
      if (isFile && call.tool().equals("start")) {
        words.add(AssistantRequest.KNOWN_AS + "=" + word);
      }
    }
    if (words.stream().anyMatch(word -> word.startsWith(AssistantRequest.ON_BEHALF_OF + "="))) {
      words.add(AssistantRequest.CONFIRMED_BY + "=" + Plain.text(who, 100));
    }
    return words;
  }
}
