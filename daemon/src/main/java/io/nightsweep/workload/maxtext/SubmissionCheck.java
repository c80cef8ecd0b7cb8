package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.files.Plain;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Queries Slurm whether it would accept a job of the sweep: {@code sbatch --test-only} checks the
 * launcher's batch script and the sweep's options, and queues nothing.
 */
final class SubmissionCheck {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final int MOST_QUOTED = 200;

  private static final Pattern REFUSAL =
      Pattern.compile("(?m)^(?:sbatch: error: .*|allocation failure): (.+)$");

  /** Errors that affect every job until somebody changes the file or the cluster. */
  private static final Pattern LASTING =
      Pattern.compile("(?i)requested node configuration|requested partition configuration|invalid");

  private static final Pattern ASKED =
      Pattern.compile("--gpus-per-(?:task|node)[= ](?:\\w+:)?(\\d{1,6})");
  private static final Pattern DIRECTIVE = Pattern.compile("(?m)^#SBATCH\\s+(.*)$");

  /** A node and its generic resources, as in {@code n1|gpu:mi300x:8(S:0-1)}. */
  private static final Pattern GPUS = Pattern.compile("\\bgpu(?::[A-Za-z]\\w*)?:(\\d{1,6})");

  private final Path script;
  private final MaxTextSettings settings;
  private final CommandRunner submitHost;

  SubmissionCheck(MaxTextSettings settings, CommandRunner submitHost) {
    this.script = settings.checkout().resolve(MaxTextWorkload.BATCH_SCRIPT);
    this.settings = settings;
    this.submitHost = submitHost;
  }

  /**
   * Why Slurm would refuse the job; empty where it would accept it or does not answer.
   *
   * @param options of {@code sbatch}, as for a job of the baseline
   * @param nodes of the cell
   */
  Optional<SetupProblem> problem(List<String> options, List<String> nodes)
      throws InterruptedException {
    if (!Files.isRegularFile(script)) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of("env"));
    settings
        .launcher()
        .forEach(
            (name, value) -> {
              if (name.startsWith("SBATCH_")) {
                command.add(name + "=" + value);
              }
            });
    command.addAll(List.of("sbatch", "--test-only"));
    command.addAll(options);
    command.add(script.toString());
    Matcher refusal = REFUSAL.matcher(said(command));
    if (!refusal.find() || !LASTING.matcher(refusal.group(1)).find()) {
      return Optional.empty();
    }
    String why =
        "Slurm would refuse every job of the sweep: " + Plain.text(refusal.group(1), MOST_QUOTED);
    Optional<String> tooMany = tooMany(gpus(options), nodes);
    return Optional.of(
        new SetupProblem(
            why + tooMany.map(t -> "; " + t).orElse(""),
            tooMany.isPresent()
                ? "set workload.gpusPerTask to what each node has, or to 0 if Slurm knows no GPUs"
                : "correct slot or workload.sbatch",
            true,
            tooMany.isPresent() ? "workload/gpusPerTask" : "slot"));
  }

  /**
   * Requested GPUs of each node, 0 without a request; the options come after the script's and take
   * precedence.
   */
  private int gpus(List<String> options) {
    Stream<String> own =
        DIRECTIVE.matcher(LauncherHosts.text(script)).results().map(m -> m.group(1));
    return Stream.concat(own, options.stream())
        .flatMap(word -> ASKED.matcher(word).results())
        .map(asked -> Integer.parseInt(asked.group(1)))
        .reduce(0, (before, after) -> after);
  }

  private Optional<String> tooMany(int asked, List<String> nodes) throws InterruptedException {
    if (asked == 0) {
      return Optional.empty();
    }
    String resources =
        said(
            List.of(
                "sinfo",
                "--noheader",
                "--Node",
                "--nodes=" + String.join(",", nodes),
                "--format=%N|%G"));
    for (String line : resources.lines().toList()) {
      int bar = line.indexOf('|');
      Matcher has = GPUS.matcher(line);
      int gpus = has.find() ? Integer.parseInt(has.group(1)) : 0;
      if (bar > 0 && gpus < asked) {
        return Optional.of(
            "the job asks for "
                + asked
                + " GPUs a node, and "
                + Plain.text(line.substring(0, bar), MOST_QUOTED)
                + " has "
                + gpus);
      }
    }
    return Optional.empty();
  }

  private String said(List<String> command) throws InterruptedException {
    try {
      CommandRunner.Output output = submitHost.run(command, PATIENCE);
      return output.stdout() + "\n" + output.stderr();
    } catch (ClusterUnreachableException e) {
      return "";
    }
  }
}
