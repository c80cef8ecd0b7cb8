package io.nightsweep.bench;

import java.nio.file.Path;

/** What one start of the program leaves. */
record RunFiles(Path directory, RunKey run) {
  /** The whole result; absent where the job ended before. */
  Path result() {
    return directory.resolve(run.file() + ".json");
  }

  /** A record a line, as each case is done. */
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
