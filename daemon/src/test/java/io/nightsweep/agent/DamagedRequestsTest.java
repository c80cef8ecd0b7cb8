package io.nightsweep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.AssistantRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files among the assistants' requests that are not requests. */
@Tag("guard")
@Timeout(60)
class DamagedRequestsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T20:00:00Z");

  @TempDir private Path state;

  private static AssistantRequest ask(AskedFor asked, String sweep) throws Exception {
    return asked.ask("bob", "stop", List.of("stop", sweep), List.of(), NOW, Instant.MAX);
  }

  @Test
  void oneDamagedRequestStopsNoOther() throws Exception {
    AskedFor asked = new AskedFor(state);
    AssistantRequest first = ask(asked, "one");
    Path second = state.resolve("asked/a2.json");
    for (String damaged :
        List.of("{\"id\": \"a2\", \"ass", "{}", "null", "", "7", "[".repeat(5_000))) {
      Files.writeString(second, damaged);
      assertThat(asked.all())
          .as(damaged)
          .extracting(AssistantRequest::id)
          .containsExactly(first.id());
    }
    Files.copy(state.resolve("asked/a1.json"), state.resolve("asked/a9.json"));
    assertThat(asked.all()).as("under another's name").hasSize(1);
    Files.delete(second);
    assertThat(new ProcessBuilder("mkfifo", second.toString()).start().waitFor()).isZero();
    assertThat(asked.all()).hasSize(1);
    assertThat(ask(asked, "two").id()).as("a name that nothing has").isEqualTo("a3");
  }
}
