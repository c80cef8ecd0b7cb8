package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightsweep.agent.Grants;
import io.nightsweep.asked.AskedFor;
import io.nightsweep.files.Ours;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.LlmFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the daemon's user may access the files that it obeys and writes. */
@Tag("guard")
class StateDirectoryTest {
  private static final int NOBODY = 65_534;

  @TempDir private Path scratch;

  private StateDirectory open(String mode) throws IOException {
    Path root = Files.createDirectory(scratch.resolve("state"));
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString(mode));
    return new StateDirectory(root);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void giveAway(Path path) throws IOException {
    assumeTrue(Ours.user() == 0, "only root can make files of another user");
    Files.setAttribute(path, "unix:uid", NOBODY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwxrwx", "rwxrwx---", "rwxr-xr-x"})
  void whatWasMadeOpenIsClosed(String mode) throws Exception {
    StateDirectory state = open(mode);
    state.create();
    assertThat(mode(state.root())).isEqualTo("rwx------");
    for (Path path : List.of(state.root(), state.modelReports(), state.log())) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
    state.create();
    assertThat(mode(state.root())).isEqualTo("rwx------");
    assertThat(mode(state.modelReports())).isEqualTo("rwx------");
    assertThat(mode(state.log())).startsWith("rw").endsWith("------");
  }

  /** Others may need to read the folder, and have not put anything there yet. */
  @Test
  void aFolderOfOtherThingsStaysAsItIsAndIsRefusedWhereOthersWriteIt() throws Exception {
    StateDirectory state = open("rwxrwxr-x");
    Files.writeString(state.root().resolve("paper.tex"), "");
    assertThatThrownBy(state::create)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod go-w " + state.root());
    assertThat(mode(state.root())).isEqualTo("rwxrwxr-x");
    Files.setPosixFilePermissions(state.root(), PosixFilePermissions.fromString("rwxr-xr-x"));
    state.create();
    assertThat(mode(state.root())).isEqualTo("rwxr-xr-x");
    assertThat(mode(state.modelReports())).isEqualTo("rwx------");
    assertThat(mode(state.log())).isEqualTo("rw-------");
  }

  @Test
  void aRootOfAnotherUserIsRefused() throws Exception {
    StateDirectory state = open("rwxrwxrwx");
    giveAway(state.root());
    assertThatThrownBy(state::create)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(state.root() + " belongs to ")
        .hasMessageContaining("--state");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grants.json",
        "llm.yaml",
        "scheduled/2.json",
        "asked/a1.json",
        "sweeps/x/journal.jsonl",
        "sweeps/x/origin.json"
      })
  void noDaemonStartsOnAFileOfAnotherUser(String name) throws Exception {
    StateDirectory state = open("rwxrwxrwx");
    Path file = state.root().resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{}");
    giveAway(file);
    Files.setPosixFilePermissions(state.root(), PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(() -> Daemon.open(state, new SimulatedParts(), new SimulatedParts()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(name + " belongs to ");
  }

  /** As when somebody renames the parent folder while a daemon runs. */
  @Test
  void whatAnotherUserPutThereLaterIsNotObeyed() throws Exception {
    StateDirectory state = open("rwx------");
    state.create();
    write(state, "grants.json", "{}");
    write(state, "llm.yaml", "");
    write(state, "scheduled/2.json", "{}");
    AskedFor asked = new AskedFor(state.root());
    asked.ask("bob", "stop", List.of("stop", "x"), List.of(), Instant.EPOCH, Instant.MAX);
    assertThat(asked.all()).hasSize(1);
    giveAway(state.root().resolve("asked/a1.json"));
    assertThatThrownBy(() -> new Grants(state.root()).all()).hasMessageContaining("belongs to");
    assertThatThrownBy(() -> LlmFile.load(state.root()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("belongs to");
    List<String> damaged = new ArrayList<>();
    assertThat(ScheduledStarts.of(state, (file, e) -> damaged.add(e.getMessage()))).isEmpty();
    assertThat(damaged).singleElement().asString().contains("belongs to");
    assertThat(asked.all()).isEmpty();
  }

  /** In a folder that others can enter, a file's mode counts too. */
  @Test
  void aFileThatOthersMayWriteIsNotObeyed() throws Exception {
    StateDirectory state = open("rwxr-xr-x");
    Path grants = state.root().resolve("grants.json");
    Files.writeString(grants, "{}");
    Files.setPosixFilePermissions(grants, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThatThrownBy(() -> new Grants(state.root()).all())
        .hasMessageContaining("chmod go-w " + grants);
    Files.setPosixFilePermissions(state.root(), PosixFilePermissions.fromString("rwx------"));
    assertThat(new Grants(state.root()).all()).isEmpty();
  }

  private static void write(StateDirectory state, String name, String text) throws IOException {
    Path file = state.root().resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    giveAway(file);
  }
}
