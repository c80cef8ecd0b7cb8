package io.nightsweep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.asked.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a scope allows, and which calls wait until a person has confirmed them. */
@Tag("agent")
class SeatTest extends AtTheSeat {
  /** Listed by hand, and not derived from the tools' own descriptions. */
  @ParameterizedTest
  @CsvSource({
    "sweeps, read, false",
    "status, read, false",
    "events, read, false",
    "explain, read, false",
    "leaderboard, read, false",
    "evidence, read, false",
    "triage, read, false",
    "rehearse, read, false",
    "asked, read, false",
    "propose, propose, true",
    "pause, control, false",
    "resume, control, true",
    "start, control, true",
    "stop, control, true",
    "approve, control, true",
  })
  void everyToolAsksForItsScope(String name, String needed, boolean waits) throws Exception {
    assertThat(Tools.ALL).hasSize(15);
    List<String> scopes = List.of("read", "propose", "control");
    for (String granted : scopes) {
      new Grants(state)
          .give(
              new Grant(
                  "bob", Scope.valueOf(granted.toUpperCase(Locale.ROOT)), now.plusSeconds(60)));
      ran.clear();
      Answer answer = seat.call(name, arguments(Tools.named(name)));
      if (scopes.indexOf(granted) < scopes.indexOf(needed)) {
        assertThat(ran).as(granted).isEmpty();
        assertThat(json(answer).path("refused").asText())
            .contains(
                "only '" + granted + "' is granted", "nightsweep grant bob --scope " + needed);
      } else if (name.equals("triage")) {
        // A log is looked up in the sweep that the call names.
        assertThat(json(answer).path("refused").asText()).contains("there is no sweep");
      } else {
        assertThat(answer.failed()).as(answer.text()).isEqualTo(waits && wasAsked(granted, needed));
        assertThat(ran).as(granted).hasSize(waits ? 0 : 1);
      }
    }
  }

  /** Whether an earlier case made the same call, which does not wait twice. */
  private static boolean wasAsked(String granted, String needed) {
    return granted.equals("control") && needed.equals("propose");
  }

  @Test
  void whatIsHopelessIsSaidBeforeAPersonIsAsked() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    against = Optional.of("refused: sweep night-1 has finished");
    Answer answer = seat.call("stop", Map.of());
    assertThat(answer.failed()).isTrue();
    assertThat(answer.text()).contains("has finished");
    assertThat(new AskedFor(state).all()).isEmpty();
    assertThat(ran).isEmpty();
  }

  @Test
  void theSweepIsFixedWhenItIsAskedFor() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    String id = json(seat.call("stop", Map.of())).path("data").get(0).path("asked").asText();
    AssistantRequest asked = new AskedFor(state).of(id).orElseThrow();
    assertThat(asked.line()).isEqualTo("nightsweep stop --sweep=night-1");
    confirming(0).confirm(id, "carol");
    assertThat(ran.getFirst()).contains("--sweep=night-1");
  }

  /** Two processes make a request at the same moment: neither overwrites the other's. */
  @Test
  void requestsNeverShareAnId() throws Exception {
    List<String> ids = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> askers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String who = "asker" + i;
      askers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      go.await();
                      ids.add(
                          new AskedFor(state)
                              .ask(who, "stop", List.of("stop"), List.of(), now, Instant.MAX)
                              .id());
                    } catch (Exception e) {
                      ids.add(e.toString());
                    }
                  }));
    }
    go.countDown();
    for (Thread asker : askers) {
      asker.join();
    }
    assertThat(ids).hasSize(20).doesNotHaveDuplicates().allMatch(id -> id.matches("a[0-9]+"));
    assertThat(new AskedFor(state).all())
        .extracting(AssistantRequest::assistant)
        .doesNotHaveDuplicates();
  }

  /** Nothing is cut silently: a file that cannot be shown whole cannot be confirmed. */
  @Test
  void aFileIsShownWholeOrNotAtAll() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    Files.writeString(
        file, "workload: {}\n" + "# x\n".repeat(500) + "#" + "y".repeat(900) + "LD_PRELOAD\n");
    String id = askedToStart();
    List<String> shown = confirming(0).files(new AskedFor(state).of(id).orElseThrow());
    assertThat(shown).hasSize(1 + 501 + 5).last().asString().contains("LD_PRELOAD");
    Files.writeString(file, "workload: {}\n" + "# x\n".repeat(20_000));
    assertThat(json(seat.call("start", Map.of("file", file.toString()))).path("refused").asText())
        .contains("a person cannot be shown more than 65536 bytes");
  }

  /** An assistant sees no content of a file that is not a sweep file. */
  @Test
  void aFileThatIsNoSweepFileIsNotQuoted() throws Exception {
    Path secret = Files.writeString(state.resolve("key.yaml"), "password: hunter2\n");
    Path folder = Files.createDirectory(state.resolve("folder.yaml"));
    for (Path other : List.of(secret, folder, Path.of("/etc/passwd"), Path.of("/dev/zero"))) {
      Answer answer = seat.call("rehearse", Map.of("file", other.toString()));
      assertThat(json(answer).path("refused").asText()).contains("expected a YAML file");
      assertThat(answer.text()).doesNotContain("hunter2");
    }
    assertThat(ran).isEmpty();
  }

  /** When a grant ends, the requests made under it end. */
  @Test
  void aRequestEndsWithItsGrant() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    String id = json(seat.call("stop", Map.of())).path("data").get(0).path("asked").asText();
    now = now.plusSeconds(61);
    assertRefused(id, "is expired");
  }

  @Test
  void withoutAGrantAndAfterItsEndAnAssistantMayRead() throws Exception {
    assertThat(seat.call("status", Map.of()).failed()).isFalse();
    assertThat(seat.call("pause", Map.of()).failed()).isTrue();
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    assertThat(seat.call("pause", Map.of()).failed()).isFalse();
    now = now.plusSeconds(60);
    assertThat(json(seat.call("pause", Map.of())).path("refused").asText())
        .contains("the grant has expired");
    new Grants(state).give(new Grant("alice", Scope.CONTROL, now.plusSeconds(60)));
    assertThat(seat.call("pause", Map.of()).failed()).isTrue();
  }

  @Test
  void whatAnAssistantDoesIsSaidToBeItsDoing() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    seat.call("pause", Map.of("sweep", "night-1"));
    assertThat(ran)
        .containsExactly(
            List.of("pause", "--state=" + state, "--sweep=night-1", "--on-behalf-of=bob"));
  }

  @Test
  void whatIsRiskyWaitsForAPerson() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    JsonNode told = json(seat.call("start", Map.of("file", file.toString()))).path("data").get(0);
    assertThat(ran).isEmpty();
    assertThat(told.path("stands").asText()).isEqualTo("waits");
    String id = told.path("asked").asText();
    AssistantRequest asked = new AskedFor(state).confirmable(id, now);
    assertThat(asked.command())
        .containsExactly("start", "--state=" + state, file.toString(), "--on-behalf-of=bob");
    assertThat(asked.line()).isEqualTo("nightsweep start " + file);

    // The run uses the file as it was requested, even if the file changes later.
    Files.writeString(file, "workload: {another: 1}\n");
    confirming(0).confirm(id, "carol");
    Path copy = state.resolve("asked/" + id + "/sweep.yaml");
    assertThat(copy).hasContent("model: m\nworkload: {}");
    assertThat(ran)
        .containsExactly(
            List.of(
                "start",
                "--state=" + state,
                copy.toString(),
                "--known-as=" + file,
                "--on-behalf-of=bob",
                "--confirmed-by=carol"));
    assertRefused(id, "is done");
    assertThat(new AskedFor(state).of(id).orElseThrow().answered().orElseThrow().by())
        .isEqualTo("carol");
  }

  /** Two people at two doors in the same moment, twenty times. */
  @Test
  void aCallIsCarriedOutOnceHoweverManyConfirmIt() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    for (int i = 1; i <= 20; i++) {
      String id = json(seat.call("stop", Map.of())).path("data").get(0).path("asked").asText();
      CountDownLatch go = new CountDownLatch(1);
      List<Thread> doors =
          Stream.of("anna", "carol")
              .map(
                  who ->
                      Thread.ofVirtual()
                          .start(
                              () -> {
                                try {
                                  go.await();
                                  confirming(0).confirm(id, who);
                                } catch (Exception e) {
                                  assertThat(e).isInstanceOf(RefusedException.class);
                                  late.incrementAndGet();
                                }
                              }))
              .toList();
      go.countDown();
      for (Thread door : doors) {
        door.join();
      }
      assertThat(ran).hasSize(i);
      assertThat(late).hasValue(i);
    }
  }

  /** The assistant learns what the command printed, and whether the call was denied. */
  @Test
  void whatAPersonAnsweredIsTold() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    String first = json(seat.call("stop", Map.of())).path("data").get(0).path("asked").asText();
    assertThat(json(seat.call("stop", Map.of())).path("refused").asText())
        .isEqualTo(first + " waits already and asks for the same");
    String second =
        json(seat.call("stop", Map.of("sweep", "night-2")))
            .path("data")
            .get(0)
            .path("asked")
            .asText();
    assertThat(confirming(7).confirm(first, "carol").exit()).isEqualTo(7);
    confirming(0).deny(second, "carol");
    assertThat(ran).hasSize(1);
    assertThat(new AskedFor(state).all())
        .extracting(a -> a.stands(now) + ": " + a.answered().orElseThrow().says())
        .containsExactly("failed: " + printed.strip(), "denied: denied");
    assertRefused(second, "is denied");
  }

  /**
   * A person never confirms one file and runs another; a request that cannot run can still be
   * denied.
   */
  @Test
  void aCopyThatWasChangedIsNotShownAsWhatWasAsked() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    String id = askedToStart();
    AssistantRequest asked = new AskedFor(state).of(id).orElseThrow();
    Path copy = state.resolve("asked/" + id + "/sweep.yaml");
    assertThat(confirming(0).files(asked))
        .containsExactly(file + ":", "  | model: m", "  | workload: {}");
    Files.writeString(copy, "model: another\n");
    assertThat(confirming(0).files(asked)).hasSize(2).noneMatch(l -> l.contains("another"));
    assertRefused(id, "was changed since");
    Files.delete(copy);
    assertThat(confirming(0).files(asked).getLast()).contains("there is no such file");
    confirming(0).deny(id, "carol");
    assertThat(new AskedFor(state).of(id).orElseThrow().stands(now)).isEqualTo("denied");
  }

  /** The id under which a person is asked for the start. */
  private String askedToStart() throws Exception {
    return json(seat.call("start", Map.of("file", file.toString())))
        .path("data")
        .get(0)
        .path("asked")
        .asText();
  }

  private Confirming confirming(int exit) {
    return new Confirming(
        new AskedFor(state),
        arguments -> {
          synchronized (ran) {
            ran.add(arguments);
          }
          return new Commands.CommandResult(exit, printed, "");
        },
        () -> now);
  }

  @Test
  void nobodyConfirmsWhatWasAskedTooLongAgo() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plusSeconds(60)));
    String id = json(seat.call("stop", Map.of())).path("data").get(0).path("asked").asText();
    now = now.plus(AskedFor.PATIENCE);
    assertRefused(id, "is expired");
    assertRefused("a99", "nothing 'a99' was asked for");
    assertRefused("../../etc/passwd", "was asked for");
  }

  @Test
  void anAssistantThatAsksForMuchIsAskedToWait() throws Exception {
    new Grants(state).give(new Grant("bob", Scope.CONTROL, now.plus(Duration.ofHours(9))));
    for (int i = 0; i < 5; i++) {
      assertThat(seat.call("stop", Map.of("sweep", "night-" + i)).failed()).isFalse();
    }
    assertThat(json(seat.call("stop", Map.of())).path("refused").asText())
        .contains("5 calls wait for a person already");
  }

  @ParameterizedTest
  @CsvSource({
    "events, since, -1",
    "events, since, 1e30",
    "events, wait_seconds, 31",
    "events, wait_seconds, 2.5",
  })
  private void assertRefused(String id, String why) {
    Assertions.assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> new AskedFor(state).confirmable(id, now))
        .withMessageContaining(why);
  }

  private Map<String, Object> arguments(Tool tool) {
    Map<String, Object> arguments = new HashMap<>();
    for (Argument argument : tool.arguments()) {
      if (argument.required()) {
        arguments.put(
            argument.name(),
            switch (argument.type()) {
              case PATH -> file.toString();
              case WHOLE_NUMBER -> argument.least();
              case TEXT -> argument.name().equals("attempt") ? "t0001a1" : "x";
            });
      }
    }
    return arguments;
  }
}
