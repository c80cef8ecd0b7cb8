package io.nightsweep.engine;

import io.nightsweep.cluster.JobFiles;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Detects that a job replaced a file of its wrapper with a link, a pipe or a folder, or removed its
 * whole folder. Such files are not read, so their content cannot explain the failure.
 */
final class ReplacedFile {
  private ReplacedFile() {}

  /**
   * Why nothing was measured, if a file is replaced or all files are gone.
   *
   * @param log a launcher may keep it elsewhere
   */
  static Optional<Diagnosis> of(Path log, JobFiles files, JobEnd end) {
    return replaced(log)
        // This matters only if no other source knows how the job ended.
        .or(
            () ->
                end.state() == JobEnd.State.VANISHED
                    ? replaced(files.exitRecord())
                    : Optional.empty())
        .or(() -> gone(log, files.directory()));
  }

  private static Optional<Diagnosis> replaced(Path file) {
    return ForeignFile.inPlaceOf(file)
        .map(kind -> told(Statement.phrase("file-replaced", file, Statement.phrase(key(kind)))));
  }

  /** If more than one job's folder is gone, no job is to blame. */
  private static Optional<Diagnosis> gone(Path log, Path folder) {
    boolean isGone =
        Files.notExists(folder)
            || (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
                && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS));
    return isGone && !Files.exists(log) && Files.exists(folder.resolveSibling("."))
        ? Optional.of(told(Statement.phrase("folder-gone", folder)))
        : Optional.empty();
  }

  private static Diagnosis told(Statement detail) {
    return new Diagnosis(KnownClasses.NO_MEASUREMENT, 0.9, List.of(), detail, List.of());
  }

  private static String key(ForeignFile.Kind kind) {
    return switch (kind) {
      case LINK -> "is-a-link";
      case DIRECTORY -> "is-a-directory";
      case PIPE_OR_DEVICE -> "is-a-pipe";
    };
  }
}
