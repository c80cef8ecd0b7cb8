package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.CommandRunner.Output;
import io.nightsweep.cluster.Shell;
import io.nightsweep.files.Plain;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An image that the launcher loads from a file.
 *
 * @param path as the nodes see it
 * @param setting of the sweep file with the image
 */
record ImageFile(Path path, String setting) implements JobImage {
  @Override
  public String question() {
    return ENGINE + look();
  }

  /**
   * Bash that checks whether the file can be read; if not, it prints the line of {@code df} for the
   * nearest folder of its path that answers. It waits only a few seconds for a hanging mount.
   */
  String look() {
    return """
        folder=%s
        ! timeout -s KILL 3 head -c 1 "$folder" >/dev/null 2>&1 || exit 0
        until [ "$folder" = / ] || timeout -s KILL 2 test -d "$folder"; do folder=${folder%%/*}; folder=${folder:-/}; done
        timeout -s KILL 3 df -hP "$folder" 2>/dev/null | tail -n 1
        exit %d"""
        .formatted(Shell.quote(path.toString()), ABSENT);
  }

  @Override
  public Optional<SetupProblem> problem(String machine, Output answer) {
    String mount = Plain.text(answer.stdout().strip(), MOST_QUOTED);
    return answer.exitCode() == ABSENT
        ? Optional.of(
            new SetupProblem(
                machine
                    + " cannot read the image "
                    + path
                    + (mount.isEmpty() ? "" : "; df of the existing part of its path: " + mount),
                "put it there, or name another by workload.launcher.DOCKER_IMAGE",
                true,
                setting))
        : Optional.empty();
  }
}
