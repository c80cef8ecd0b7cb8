package io.nightsweep.agent;

import io.nightsweep.asked.Asked;
import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.RefusedException;
import io.nightsweep.files.Plain;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Answers an assistant's calls: within its scope, one command each, none that a person has to
 * confirm.
 */
public final class Seat {
  private static final int CALLS_A_MINUTE = 120;
  private static final int AT_ONCE = 4;

  private final Caller caller;
  private final Grants grants;
  private final AskedFor asked;
  private final Commands commands;
  private final Redaction redaction;
  private final InstantSource clock;
  private final Deque<Instant> calls = new ArrayDeque<>();
  private final Semaphore running = new Semaphore(AT_ONCE);

  /**
   * @param assistant the name under which a person grants
   * @param root the state directory
   */
  public Seat(
      String assistant, Path root, Commands commands, Redaction redaction, InstantSource clock) {
    this.caller = new Caller(assistant, root);
    this.grants = new Grants(root);
    this.asked = new AskedFor(root);
    this.commands = commands;
    this.redaction = redaction;
    this.clock = clock;
  }

  /** Never throws for anything that an assistant sends: a refusal is an answer. */
  Answer call(String name, Map<String, Object> given) {
    try {
      Tool tool = Tools.named(name);
      insistOnScope(tool);
      insistOnPace();
      Map<String, String> words = words(tool, given);
      List<String> command = tool.command().words(caller, words);
      return tool.confirmed() ? waits(tool, command, words) : run(tool, command);
    } catch (RefusedException e) {
      return Answer.refused(name, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Answer.refused(
          name, "the state directory cannot be read or written: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.refused(name, "interrupted");
    }
  }

  private void insistOnScope(Tool tool) throws IOException, RefusedException {
    Optional<Grant> grant = grants.of(caller.assistant());
    Scope scope = grant.map(g -> g.at(clock.instant())).orElse(Scope.READ);
    if (!scope.includes(tool.scope())) {
      String wanted = tool.scope().name().toLowerCase(Locale.ROOT);
      throw new RefusedException(
          "%s needs the scope '%s'; %s. A person grants it: nightsweep grant %s --scope %s --for 8h"
              .formatted(
                  tool.name(),
                  wanted,
                  grant
                      .map(
                          g ->
                              g.scope() == scope
                                  ? "only reading is granted"
                                  : "the grant has expired")
                      .orElse("nothing is granted to '" + caller.assistant() + "'"),
                  caller.assistant(),
                  wanted));
    }
  }

  private synchronized void insistOnPace() throws RefusedException {
    Instant now = clock.instant();
    while (!calls.isEmpty() && calls.peekFirst().isBefore(now.minus(Duration.ofMinutes(1)))) {
      calls.removeFirst();
    }
    if (calls.size() >= CALLS_A_MINUTE) {
      throw new RefusedException(
          CALLS_A_MINUTE + " calls within a minute; wait, and ask for events with 'wait_seconds'");
    }
    calls.addLast(now);
  }

  private static Map<String, String> words(Tool tool, Map<String, Object> given)
      throws RefusedException {
    List<String> known = tool.arguments().stream().map(Argument::name).toList();
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        throw new RefusedException(
            "%s knows no argument '%s'; it knows %s"
                .formatted(
                    tool.name(),
                    Plain.text(name, 60),
                    known.isEmpty() ? "none" : String.join(", ", known)));
      }
    }
    Map<String, String> words = new LinkedHashMap<>();
    for (Argument argument : tool.arguments()) {
      Object value = given.get(argument.name());
      if (value != null) {
        words.put(argument.name(), argument.word(value));
      } else if (argument.required()) {
        throw new RefusedException(argument.name() + " is missing; expected: " + argument.about());
      }
    }
    return words;
  }

  private Answer run(Tool tool, List<String> command)
      throws InterruptedException, RefusedException {
    if (!running.tryAcquire()) {
      throw new RefusedException(AT_ONCE + " calls are at work already; wait for one to end");
    }
    try {
      return Answer.of(tool.name(), commands.run(command), redaction);
    } finally {
      running.release();
    }
  }

  private Answer waits(Tool tool, List<String> command, Map<String, String> words)
      throws IOException, RefusedException {
    List<Path> reads =
        tool.arguments().stream()
            .filter(a -> a.type() == Argument.Type.PATH)
            .flatMap(a -> Optional.ofNullable(words.get(a.name())).stream())
            .map(Path::of)
            .toList();
    Asked call = asked.ask(caller.assistant(), tool.name(), command, reads, clock.instant());
    String said =
        """
        {"asked": "%s", "stands": "waits", "until": "%s", "next": "nothing has happened yet; a person confirms by 'nightsweep confirm %s', in the chat or on the page. Ask 'asked' how it stands."}
        """
            .formatted(call.id(), call.until(), call.id());
    return Answer.of(tool.name(), new Commands.CommandResult(0, said, ""), redaction);
  }
}
