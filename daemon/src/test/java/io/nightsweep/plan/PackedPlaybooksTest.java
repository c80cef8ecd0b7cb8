package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packed playbooks fit the schema and the rule about secrets, which no start checks for them.
 */
@Tag("joblog")
class PackedPlaybooksTest {
  @TempDir private Path folder;

  @Test
  void packedPlaybooksPassTheChecksOfAPersonsOwn() throws Exception {
    Playbooks packed = new Playbooks(Resources.below(folder));
    assertThat(packed.names()).contains("any", "common", "kernels", "maxtext-cuda", "maxtext-rocm");
    Playbooks copies = new Playbooks(Resources.below(copied()));
    for (String name : packed.names()) {
      assertThat(copies.read(name)).as(name).isEqualTo(packed.read(name));
    }
  }

  @Test
  void aPersonsCopyIsChecked() throws IOException {
    Path common = copied().resolve("playbooks/common.yaml");
    Files.writeString(common, Files.readString(common) + "\nremedys: {}\n");

    assertThatThrownBy(() -> new Playbooks(Resources.below(folder)).read("any"))
        .hasMessageContaining("playbooks/common.yaml")
        .hasMessageContaining("remedys");
  }

  private Path copied() throws IOException {
    for (String name : new Playbooks(Resources.below(folder)).names()) {
      String path = "playbooks/" + name + ".yaml";
      Path copy = folder.resolve(path);
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, Resources.packed(path).orElseThrow());
    }
    return folder;
  }
}
