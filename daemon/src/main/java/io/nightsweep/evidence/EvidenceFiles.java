package io.nightsweep.evidence;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The evidence files of a profiled job.
 *
 * @param module the compiled step's text: the largest module named after a training step, else the
 *     largest of all
 * @param options the compiler's options, beside the module
 * @param profiles xplane files, one for each host
 * @param traces the trace viewer's files, used if no profile can be read
 */
record EvidenceFiles(
    Optional<Path> module, Optional<Path> options, List<Path> profiles, List<Path> traces) {
  private static final int DEEPEST = 12;

  /**
   * Finds the files below the directories; links are followed, since launchers link logs and
   * artifacts.
   */
  static EvidenceFiles below(List<Path> roots) throws IOException {
    List<Path> modules = new ArrayList<>();
    List<Path> options = new ArrayList<>();
    List<Path> profiles = new ArrayList<>();
    List<Path> traces = new ArrayList<>();
    for (Path root : roots) {
      if (!Files.isDirectory(root)) {
        continue;
      }
      Files.walkFileTree(
          root,
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          DEEPEST,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              String name = file.getFileName().toString();
              if (!attributes.isRegularFile()) {
                // Reading a device or a pipe behind a link would never end.
                return FileVisitResult.CONTINUE;
              }
              if (name.matches(".*after_optimizations[.]txt([.]gz)?")) {
                modules.add(file);
              } else if (name.endsWith(".debug_options")) {
                options.add(file);
              } else if (name.matches(".*[.]xplane[.]pb([.]gz)?")) {
                profiles.add(file);
              } else if (name.matches(".*[.]trace[.]json([.]gz)?")) {
                traces.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            /** Skips a link that is broken or leads back up. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    }
    Optional<Path> module =
        modules.stream()
            .max(
                Comparator.comparing((Path p) -> p.getFileName().toString().contains("train_step"))
                    .thenComparing(EvidenceFiles::size)
                    .thenComparing(Comparator.naturalOrder()));
    return new EvidenceFiles(
        module,
        module.flatMap(m -> options.stream().filter(o -> sameModule(m, o)).findFirst()),
        profiles.stream().sorted().toList(),
        traces.stream().sorted().toList());
  }

  boolean isEmpty() {
    return module.isEmpty() && profiles.isEmpty() && traces.isEmpty();
  }

  /**
   * Whether both names have the prefix of one module, such as {@code module_0016.jit_train_step.}.
   */
  private static boolean sameModule(Path module, Path other) {
    String name = other.getFileName().toString();
    return module
        .getFileName()
        .toString()
        .startsWith(name.substring(0, name.length() - "debug_options".length()));
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
