package io.nightsweep.cluster.slurm;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.sweep.JobId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Queries Slurm's controller and accounting, and counts the queries. */
final class SlurmQueries {
  private static final Duration QUERY = Duration.ofSeconds(30);

  private final CommandRunner runner;
  private final InstantSource clock;
  private final AtomicLong count = new AtomicLong();
  private Optional<Boolean> accounting = Optional.empty();
  private String user = "";

  SlurmQueries(CommandRunner runner, InstantSource clock) {
    this.runner = runner;
    this.clock = clock;
  }

  /** How many commands have run so far. */
  long count() {
    return count.get();
  }

  List<SlurmOutput.Queued> squeue(List<String> selection)
      throws ClusterUnreachableException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("squeue", "--noheader"));
    arguments.add("--format=" + SlurmOutput.SQUEUE_FORMAT);
    arguments.addAll(selection);
    return SlurmOutput.squeue(answer(arguments));
  }

  List<SlurmOutput.Booked> sacct(Instant since, List<String> selection)
      throws ClusterUnreachableException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of("sacct", "--noheader", "--parsable2", "--allocations", "--duplicates"));
    // A day of tolerance, since the clocks of daemon and database may differ.
    arguments.add(
        "--starttime=" + "now-" + (1 + Duration.between(since, clock.instant()).toDays()) + "days");
    // Without this, sacct may return jobs of all users (to root, and for explicit ids to anybody),
    // with arbitrary names and comments.
    arguments.add("--user=" + user());
    arguments.add("--format=" + SlurmOutput.SACCT_FORMAT);
    arguments.addAll(selection);
    return SlurmOutput.sacct(answer(arguments));
  }

  Optional<SlurmOutput.Booked> showJob(JobId id)
      throws ClusterUnreachableException, InterruptedException {
    CommandRunner.Output output = run(List.of("scontrol", "--oneliner", "show", "job", id.value()));
    if (output.succeeded()) {
      return SlurmOutput.showJob(output.stdout()).stream().findFirst();
    }
    if (output.stderr().contains("Invalid job id")) {
      return Optional.empty();
    }
    throw new ClusterUnreachableException(firstLine(output.stderr()));
  }

  /** Whether there is an accounting database; queried once. */
  boolean hasAccounting() throws ClusterUnreachableException, InterruptedException {
    if (accounting.isEmpty()) {
      String config = answer(List.of("scontrol", "show", "config"));
      accounting =
          Optional.of(
              config
                  .lines()
                  .anyMatch(
                      l ->
                          l.startsWith("AccountingStorageType")
                              && l.contains("accounting_storage/slurmdbd")));
    }
    return accounting.get();
  }

  /**
   * The user on the machine of the commands, to whom {@code --me} refers in squeue; queried once.
   */
  private String user() throws ClusterUnreachableException, InterruptedException {
    if (user.isEmpty()) {
      String id = runner.run(List.of("id", "-u"), QUERY).stdout().strip();
      if (!id.matches("\\d+")) {
        throw new ClusterUnreachableException("id answered '" + id + "' instead of a number");
      }
      user = id;
    }
    return user;
  }

  String answer(List<String> arguments) throws ClusterUnreachableException, InterruptedException {
    CommandRunner.Output output = run(arguments);
    if (!output.succeeded()) {
      throw new ClusterUnreachableException(
          arguments.getFirst() + ": " + firstLine(output.stderr()));
    }
    return output.stdout();
  }

  CommandRunner.Output run(List<String> arguments)
      throws ClusterUnreachableException, InterruptedException {
    count.incrementAndGet();
    return runner.run(arguments, QUERY);
  }

  static boolean isNoAnswer(String stderr) {
    return stderr.contains("Unable to contact slurm controller")
        || stderr.contains("Connection refused")
        || stderr.contains("Socket timed out")
        || stderr.contains("Communication connection failure")
        || stderr.contains("Zero Bytes were transmitted")
        || stderr.contains("Unable to contact");
  }

  static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("no error text");
  }
}
