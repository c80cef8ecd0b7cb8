package io.nightsweep.bench;

import java.nio.file.Path;

/** The files that one start of the program leaves. */
record RunFiles(Path directory, RunKey run) {
  /** The complete result; missing where the job ended early. */
  Path result() {
    return directory.resolve(run.file() + ".json");
  }

  /** One record in each line, written as soon as a case is done. */
  Path rows() {
    return directory.resolve(run.file() + ".rows.ndjson");
  }

  /** The exit code of the launcher. */
  Path exit() {
    return directory.resolve(run.file() + ".exit");
  }

  Path log() {
    return directory.resolve(run.file() + ".log");
  }
}
