package io.nightsweep.cli;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import java.nio.file.Path;

/** Where commands look for playbooks: first below the current directory, then in the package. */
final class PlaybookOptions {
  /** The name that stands for all playbooks together. */
  static final String ANY = "any";

  private PlaybookOptions() {}

  static Playbooks playbooks() {
    return new Playbooks(Resources.below(Path.of("")));
  }
}
