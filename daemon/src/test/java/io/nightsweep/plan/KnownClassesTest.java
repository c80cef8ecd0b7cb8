package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Playbook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each failure class that the code speaks of is one of every packed playbook. */
@Tag("triage")
class KnownClassesTest {
  @ParameterizedTest
  @ValueSource(strings = {"common", "kernels", "maxtext-rocm", "maxtext-cuda", "any"})
  void areOfThePlaybook(String name) throws Exception {
    Playbook playbook = new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read(name);
    List<String> recognised =
        playbook.recognition().classes().stream().map(FailureClass::id).toList();
    TreeSet<String> known = new TreeSet<>(recognised);
    known.addAll(playbook.remedies().keySet());
    assertThat(known).containsAll(KnownClasses.ALL);
  }

  @Test
  void areAskedOfAPlaybookOfOnesOwn(@TempDir Path folder) throws IOException {
    Path file = Files.createDirectories(folder.resolve("playbooks")).resolve("own.yaml");
    Files.writeString(
        file,
        """
        about: Own.
        classes:
          success:
            remedy: {then: accept}
        """);
    assertThatThrownBy(
            () -> new Playbooks(Resources.beside(folder.resolve("sweep.yaml"))).read("own"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(
            "playbooks/own.yaml:1:1",
            "has no class cancelled, controller-down, disk-full, nan-loss, node-down, node-fail",
            "'extends: common'");
  }
}
