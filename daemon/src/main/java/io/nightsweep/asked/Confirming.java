package io.nightsweep.asked;

import io.nightsweep.files.Plain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A person's word on what assistants asked for, the same by every door. A call is carried out at
 * most once, whoever confirms it, and by no door that an assistant has.
 */
public final class Confirming {
  private static final int LINES_SHOWN = 60;
  private static final int LONGEST_LINE = 300;
  private static final int MOST_SAID = 4_000;

  private final AskedFor asked;
  private final Commands commands;
  private final InstantSource clock;

  public Confirming(AskedFor asked, Commands commands, InstantSource clock) {
    this.asked = asked;
    this.commands = commands;
    this.clock = clock;
  }

  /** The calls that wait for an answer, the oldest first. */
  public List<Asked> waiting() throws IOException {
    return asked.all().stream().filter(a -> a.stands(clock.instant()).equals("waits")).toList();
  }

  /** Those of which the chat has told nobody. */
  public List<Asked> untold() throws IOException {
    return waiting().stream().filter(a -> !asked.isTold(a)).toList();
  }

  /** Remembers, beyond the daemon's life, that people were told. */
  public void told(Asked call) throws IOException {
    asked.told(call);
  }

  /**
   * @throws RefusedException where it may not be confirmed any more, with what to do
   */
  public Asked confirmable(String id) throws IOException, RefusedException {
    return asked.confirmable(id, clock.instant());
  }

  /** The files that the call reads, a line each of theirs, as they were when it was asked. */
  public static List<String> files(Asked call) {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, String> file : call.digests().entrySet()) {
      lines.add(file.getKey() + ":");
      try {
        byte[] bytes = AskedFor.bytes(Path.of(file.getKey()));
        if (!AskedFor.sha256(bytes).equals(file.getValue())) {
          throw new RefusedException("it was changed since; it has to be asked again");
        }
        new String(bytes, StandardCharsets.UTF_8)
            .lines()
            .limit(LINES_SHOWN)
            .forEach(line -> lines.add("  | " + Plain.text(line, LONGEST_LINE)));
      } catch (RefusedException e) {
        lines.add("  " + e.getMessage());
      }
    }
    return lines;
  }

  /**
   * Carries the call out.
   *
   * @param who confirmed it, and by which door
   * @throws RefusedException where it waits no more, or a file that it reads was changed
   */
  public Commands.CommandResult confirm(String id, String who)
      throws IOException, RefusedException, InterruptedException {
    Asked call = confirmable(id);
    asked.take(call, answer(who, true, "is being carried out"));
    Commands.CommandResult outcome = commands.run(confirmed(call, who));
    String said = (outcome.out() + outcome.err()).strip();
    asked.tell(call, answer(who, true, said.substring(0, Math.min(MOST_SAID, said.length()))));
    return outcome;
  }

  /** Says no; the assistant sees it. */
  public void deny(String id, String who) throws IOException, RefusedException {
    asked.take(confirmable(id), answer(who, false, "denied"));
  }

  private Asked.Answered answer(String who, boolean confirmed, String says) {
    return new Asked.Answered(who, clock.instant(), confirmed, says);
  }

  /** Where a command says in whose name it acts, it also says who confirmed it. */
  private static List<String> confirmed(Asked call, String who) {
    List<String> words = new ArrayList<>(call.command());
    if (words.stream().anyMatch(word -> word.startsWith(Asked.ON_BEHALF_OF + "="))) {
      words.add(Asked.CONFIRMED_BY + "=" + Plain.text(who, 100));
    }
    return words;
  }
}
