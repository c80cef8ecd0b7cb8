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
 * Tells of a job that put a link, a pipe or a folder in the place of a file that its wrapper
 * writes, or removed its whole folder: nothing of that is read, so that the file's own content
 * tells nobody why.
 */
final class ReplacedFile {
  private ReplacedFile() {}

  /**
   * Why nothing was measured, where a file is replaced or all of them are gone.
   *
   * @param log which a launcher may keep elsewhere
   */
  static Optional<Diagnosis> of(Path log, JobFiles files, JobEnd end) {
    return replaced(log)
        // It matters only where no other source knows how the job ended.
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

  /** Where more is gone than one job's folder, no job is to blame. */
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
