package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A playbook of a person's own, named by its path. */
@Tag("joblog")
@Tag("slow")
class PlaybookFileTest {
  @TempDir private Path folder;

  private Path playbook(String lines) throws IOException {
    return Files.writeString(
        folder.resolve("own.yaml"), "about: Own.\nextends: common\nclasses:\n" + lines);
  }

  private void samples(String lines) throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve("samples")).resolve("own.yaml"), lines);
  }

  @Test
  void whatIsWrongWithItIsSaidInWords() throws IOException {
    Path own =
        playbook(
            "  x-y:\n    signatures: [{log: 'ab'}]\n    remedy: {then: resubmit, limit: -1}\n");
    assertThat(Typed.line("triage", "--playbook", own.toString(), own.toString()).err())
        .isEqualTo(own + ":6:37: 'limit' is '-1'; expected a whole number, at least 0, or none\n");
    playbook("  x-y:\n    signatures: [{log: 'a('}]\n");
    assertThat(Typed.line("playbook", "patterns", own.toString()).err())
        .contains("the pattern 'a(' cannot be used; missing closing )");
    assertThat(Typed.line("playbook", "patterns", "comon").err())
        .startsWith("comon: unknown playbook 'comon'; expected one of any, ")
        .endsWith("; did you mean 'common'?\n");
  }

  @Test
  void itsSamplesAreInTheFolderBesideIt() throws IOException {
    Path own =
        playbook(
            "  gizmo-error:\n"
                + "    about: The gizmo.\n"
                + "    signatures: [{log: 'gizmo out of tune'}]\n");
    Typed alone = Typed.line("playbook", "test", own.toString());
    assertThat(alone.code()).as(alone.said()).isEqualTo(ExitCode.OK);
    assertThat(alone.out()).doesNotContain("gizmo-error");
    samples(
        "gizmo-error:\n"
            + "  - log: \"fatal: gizmo out of tune\\n"
            + "\"\n"
            + "  - log: \"fatal: gizmo broken\\n"
            + "\"\n");
    Typed tested = Typed.line("playbook", "test", own.toString());
    assertThat(tested.code()).isEqualTo(ExitCode.FAILED);
    assertThat(tested.out())
        .contains("gizmo-error #2: expected gizmo-error, got ")
        .containsPattern("gizmo-error +2 +1\n");
    assertThat(Typed.line("playbook", "patterns", own.toString()).out())
        .contains("gizmo out of tune");
  }
}
