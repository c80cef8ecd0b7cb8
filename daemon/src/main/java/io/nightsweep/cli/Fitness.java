package io.nightsweep.cli;

import io.nightsweep.chat.ChatSettings;
import io.nightsweep.chat.Credentials;
import io.nightsweep.chat.Messenger;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A condition that a sweep needs before its first job (procedure: pre-flight). {@code doctor}
 * reports it and {@code start} requires it.
 *
 * @param whatToDo empty where nothing is to be done
 */
record Fitness(Grade grade, String text, String whatToDo) {
  enum Grade {
    FIT,
    /** The sweep can start but may have to wait. */
    DOUBTFUL,
    UNFIT
  }

  private static final long LEAST_BYTES = 1L << 30;
  private static final Duration SKEW = Duration.ofSeconds(5);

  /**
   * The text may quote anybody, such as the reason of a drained node, so secrets in it are masked.
   */
  Fitness {
    text = Redaction.byForm().shown(text);
  }

  /** Refuses a start that would fail at night, and prints what would only delay it. */
  static void insist(List<Fitness> found, PrintWriter out) throws CliException {
    String unfit =
        found.stream()
            .filter(f -> f.grade() == Grade.UNFIT)
            .map(f -> f.text() + "\n  do: " + f.whatToDo())
            .collect(Collectors.joining("\n"));
    if (!unfit.isEmpty()) {
      throw new CliException(ExitCode.UNFIT, unfit);
    }
    found.stream()
        .filter(f -> f.grade() == Grade.DOUBTFUL)
        .forEach(f -> out.println("warning  " + f.text() + "; " + f.whatToDo()));
  }

  /** Checks the state directory's place, disk and clock, and who gets messages at night. */
  static List<Fitness> ofThisMachine(StateDirectory directory) throws IOException {
    directory.create();
    List<Fitness> found = new ArrayList<>();
    found.add(clock(directory));
    // Java finds no file store where it cannot read the mounts, as in a chroot.
    long free = directory.root().toFile().getUsableSpace();
    found.add(
        free < LEAST_BYTES
            ? unfit(
                "only " + (free >> 20) + " MiB are free at " + directory.root(),
                "free a gigabyte or use --state")
            : fit("disk: " + (free >> 30) + " GiB free"));
    found.add(notices());
    return found;
  }

  /**
   * Problems of the state directory as a place for files of jobs. Checked after Slurm has answered,
   * since only Slurm nodes have a /tmp of their own.
   */
  static List<Fitness> ofTheFolder(StateDirectory directory, ClusterChoice.Kind cluster)
      throws IOException {
    return cluster == ClusterChoice.Kind.SLURM && isNodesOwn(directory.root())
        ? List.of(
            unfit(
                "jobs write into " + directory.root() + ", and each node has a /tmp of its own",
                "name a folder that all nodes see with --state, such as one below your home"
                    + " directory"))
        : List.of();
  }

  private static boolean isNodesOwn(Path folder) throws IOException {
    Path real = folder.toRealPath();
    return real.startsWith("/tmp") || real.startsWith("/var/tmp");
  }

  private static Fitness clock(StateDirectory directory) throws IOException {
    Path probe = Files.createTempFile(directory.root(), "doctor", ".probe");
    try {
      Instant written = Files.getLastModifiedTime(probe).toInstant();
      Duration skew = Duration.between(written, Instant.now()).abs();
      return skew.compareTo(SKEW) > 0
          ? unfit(
              "the clock of the filesystem is " + skew.toSeconds() + " s off",
              "run chrony or ntpd on this machine and the file server")
          : fit("state: " + directory.root() + ", writable, clocks agree");
    } finally {
      Files.delete(probe);
    }
  }

  private static Fitness notices() {
    try {
      Messenger.Addresses found =
          Messenger.Addresses.find(System.getenv(), Path.of(System.getProperty("user.home")));
      ChatSettings.of(System.getenv());
      return fit(
          found.isEmpty()
              ? "Telegram: no credentials, and no webhook; reports, status and commands work without"
              : "notices go to " + found.describe());
    } catch (Credentials.UnusableException e) {
      return unfit("notices: " + e.getMessage(), "correct it, or remove it to go without");
    }
  }

  /** Checks the pinned nodes' states and the jobs of others on them. */
  static List<Fitness> ofTheNodes(Cluster cluster, SweepSpec sweep, StateDirectory directory)
      throws IOException, ClusterUnreachableException, InterruptedException {
    List<Fitness> found = new ArrayList<>();
    for (Cluster.Node n : cluster.nodes(sweep.cell().nodes())) {
      found.add(
          n.availability() == Cluster.Node.Availability.UNUSABLE
              ? unfit(
                  "node "
                      + n.name()
                      + " is "
                      + n.state()
                      + (n.why().isEmpty() ? "" : ": " + n.why()),
                  "scontrol update NodeName=" + n.name() + " State=RESUME, once its reason is gone")
              : fit("node " + n.name() + ": " + n.state()));
    }
    // Jobs of other Nightsweep sweeps share the nodes in turns with the new sweep; foreign jobs do
    // not.
    List<Cluster.ForeignJob> jobs = cluster.foreignJobs(sweep.cell().nodes(), List.of());
    List<Cluster.ForeignJob> foreign =
        DoctorCommand.foreign(jobs, directory.all().stream().map(SweepDirectory::id).toList());
    int own = jobs.size() - foreign.size();
    if (own > 0) {
      found.add(
          fit(
              own
                  + (own == 1 ? " job of" : " jobs of")
                  + " Nightsweep's own sweeps on the pinned nodes"));
    }
    if (!foreign.isEmpty()) {
      Cluster.ForeignJob first = foreign.getFirst();
      found.add(
          new Fitness(
              Grade.DOUBTFUL,
              foreign.size()
                  + (foreign.size() == 1 ? " other job wants" : " other jobs want")
                  + " the pinned nodes, such as "
                  + first.job()
                  + " of "
                  + first.user(),
              "wait for them, or reserve the nodes"));
    }
    return found;
  }

  private static Fitness fit(String text) {
    return new Fitness(Grade.FIT, text, "");
  }

  private static Fitness unfit(String text, String whatToDo) {
    return new Fitness(Grade.UNFIT, text, whatToDo);
  }
}
