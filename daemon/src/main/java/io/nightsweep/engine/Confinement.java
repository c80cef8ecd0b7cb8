package io.nightsweep.engine;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Ways to restrict a process that reads untrusted files, the strictest first. */
public enum Confinement {
  /** In its own namespaces, every file system is read-only except for one working folder. */
  READS_ONLY("evidence is read without a network, by a process that may write nowhere"),
  /** The process runs in a network namespace without a network. */
  NO_NETWORK(
      "evidence is read without a network, by a process that may write what you may: mounts of its"
          + " own are refused here"),
  NONE(
      "evidence is read by a process that may do what you may: this system gives an ordinary user"
          + " no namespaces");

  private static final int PATIENCE_SECONDS = 20;

  /**
   * Makes each mount read-only except the folder $1, drops every capability, and executes the
   * remaining arguments. A mount keeps its existing restrictions, since a user may not remove them;
   * a mount that the user cannot reach cannot be written either. Fields of a line:
   * proc_pid_mountinfo(5).
   */
  private static final String READ_ONLY =
      """
      scratch=$1
      shift
      mount -n -c --bind "$scratch" "$scratch" || exit
      while read -r _ _ _ _ where options _; do
        where=$(printf %b "$where")
        [ "$where" != "$scratch" ] || continue
        kept=ro
        for option in $(printf %s "$options" | tr , ' '); do
          case $option in
            nosuid|nodev|noexec|noatime|nodiratime|relatime|nosymfollow) kept=$kept,$option ;;
          esac
        done
        mount -n -c -o "remount,bind,$kept" none "$where" || [ ! -e "$where" ] || exit
      done </proc/self/mountinfo
      unset PWD OLDPWD SHLVL
      exec setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs -- "$@"
      """;

  /** Tests in a trial that the folder is writable and its parent is not. */
  private static final String TRIAL = "[ -w \"$1\" ] && [ ! -w \"$1/..\" ]";

  private final String words;

  Confinement(String words) {
    this.words = words;
  }

  /** The sentence that {@code doctor} prints. */
  public String words() {
    return words;
  }

  /** A folder that the process may write; closing deletes it with its contents. */
  record Scratch(Path folder) implements Closeable {
    static Scratch create() throws IOException {
      return new Scratch(Files.createTempDirectory("nightsweep-reader").toRealPath());
    }

    @Override
    public void close() throws IOException {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  /**
   * The strictest way that works on this system now. It is tested, since many kinds of rules may
   * forbid it.
   */
  public static Confinement strictest() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      if (READS_ONLY.works(scratch, List.of("sh", "-c", TRIAL, "trial", scratch.folder() + ""))) {
        return READS_ONLY;
      }
      return NO_NETWORK.works(scratch, List.of("true")) ? NO_NETWORK : NONE;
    }
  }

  /**
   * The command that runs the given command confined, in the same process, with the same input and
   * output.
   */
  List<String> around(Scratch scratch, List<String> command) {
    List<String> confined =
        new ArrayList<>(
            switch (this) {
              case READS_ONLY ->
                  List.of(
                      "unshare",
                      "--map-root-user",
                      "--net",
                      "--mount",
                      "--",
                      "sh",
                      "-c",
                      READ_ONLY,
                      "reader",
                      scratch.folder().toString());
              case NO_NETWORK -> List.of("unshare", "--map-current-user", "--net", "--");
              case NONE -> List.<String>of();
            });
    confined.addAll(command);
    return confined;
  }

  private boolean works(Scratch scratch, List<String> trial) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(around(scratch, trial))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return false;
    }
  }
}
