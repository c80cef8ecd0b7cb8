package io.nightsweep.engine;

import io.nightsweep.files.ForeignFile;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Tells of a job that put a link, a pipe or a folder in the place of a file that its wrapper
 * writes: nothing of that is read, so that the file's own content tells nobody why.
 */
final class ReplacedFile {
  private ReplacedFile() {}

  /**
   * Why nothing was measured, where one of the two files is replaced.
   *
   * @param exitRecord of consequence only where nobody else knows how the job ended
   */
  static Optional<Diagnosis> of(Path log, Path exitRecord, JobEnd end) {
    return told(log)
        .or(() -> end.state() == JobEnd.State.VANISHED ? told(exitRecord) : Optional.empty());
  }

  private static Optional<Diagnosis> told(Path file) {
    return ForeignFile.inPlaceOf(file)
        .map(
            kind ->
                new Diagnosis(
                    KnownClasses.NO_MEASUREMENT,
                    0.9,
                    List.of(),
                    Statement.phrase("file-replaced", file, Statement.phrase(key(kind))),
                    List.of()));
  }

  private static String key(ForeignFile.Kind kind) {
    return switch (kind) {
      case LINK -> "is-a-link";
      case DIRECTORY -> "is-a-directory";
      case PIPE_OR_DEVICE -> "is-a-pipe";
    };
  }
}
