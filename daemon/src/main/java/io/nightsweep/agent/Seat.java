package io.nightsweep.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.RefusedException;
import io.nightsweep.files.Plain;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.LowerCase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Answers an assistant's calls. Each call within its scope runs one command; calls that need a
 * person's confirmation are stored as requests.
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
   * @param assistant the name to which a person gives grants
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

  /** Carries out a call. Never throws because of an assistant's input: a refusal is an answer. */
  Answer call(String name, Map<String, Object> given) {
    try {
      Tool tool = Tools.named(name);
      insistOnPace();
      Optional<Grant> grant = insistOnScope(tool);
      Map<String, String> words = words(tool, given);
      List<String> command = tool.command().words(caller, words);
      return tool.confirmed() ? waits(tool, command, grant) : run(tool, command);
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

  private Optional<Grant> insistOnScope(Tool tool) throws IOException, RefusedException {
    Optional<Grant> grant = grants.of(caller.assistant());
    Scope scope = grant.map(g -> g.at(clock.instant())).orElse(Scope.READ);
    if (!scope.includes(tool.scope())) {
      String wanted = word(tool.scope());
      throw new RefusedException(
          "%s needs the scope '%s'; %s. A person grants it: nightsweep grant %s --scope %s --for 8h"
              .formatted(
                  tool.name(),
                  wanted,
                  grant
                      .map(
                          g ->
                              g.scope() == scope
                                  ? "only '" + word(scope) + "' is granted"
                                  : "the grant has expired")
                      .orElse("nothing is granted to '" + caller.assistant() + "'"),
                  caller.assistant(),
                  wanted));
    }
    return grant;
  }

  private static String word(Scope scope) {
    return LowerCase.of(scope);
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

  /**
   * Stores the call as a request. Obstacles are reported before a person is asked. The sweep is
   * fixed now, since the default sweep may be another one when somebody confirms.
   */
  private Answer waits(Tool tool, List<String> command, Optional<Grant> grant)
      throws IOException, RefusedException, InterruptedException {
    Commands.CommandResult checked = commands.run(joined(command, AssistantRequest.CHECK));
    if (checked.exit() != 0) {
      return Answer.of(tool.name(), checked, redaction);
    }
    JsonNode found = Json.mapper().readTree(checked.out());
    String sweep = found.path("sweep").asText();
    List<Path> reads = new ArrayList<>();
    found.path("reads").forEach(file -> reads.add(Path.of(file.asText())));
    List<String> fixed =
        sweep.isEmpty() || command.contains("--sweep=" + sweep)
            ? command
            : joined(command, "--sweep=" + sweep);
    AssistantRequest call =
        asked.ask(
            caller.assistant(),
            tool.name(),
            fixed,
            reads,
            clock.instant(),
            grant.map(Grant::until).orElse(Instant.MAX));
    ObjectNode said =
        Json.mapper()
            .createObjectNode()
            .put("asked", call.id())
            .put("stands", "waits")
            .put("command", call.line())
            .put("until", call.until().toString())
            .put(
                "next",
                "nothing has happened yet: a person has to confirm it by 'nightsweep confirm %s', in the chat or on the page. The tool 'asked' shows its state."
                    .formatted(call.id()));
    return Answer.of(tool.name(), new Commands.CommandResult(0, said.toString(), ""), redaction);
  }

  private static List<String> joined(List<String> command, String word) {
    List<String> joined = new ArrayList<>(command);
    joined.add(word);
    return List.copyOf(joined);
  }
}
