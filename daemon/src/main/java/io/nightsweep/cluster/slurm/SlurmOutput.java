package io.nightsweep.cluster.slurm;

import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.sweep.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the output of Slurm's commands. Lines of another form are skipped, since they describe no
 * job.
 */
final class SlurmOutput {
  /**
   * For {@code squeue --format}. Nodes are allocated or requested ones; the reason is last, since
   * it may contain anything.
   */
  static final String SQUEUE_FORMAT = "%i|%T|%S|%N|%n|%u|%j|%k|%r";

  /** For {@code sacct --format}, parsable. */
  static final String SACCT_FORMAT = "JobIDRaw,State,ExitCode,Start,End,NodeList,Comment,JobName";

  /**
   * For {@code sinfo --Node --format}; {@code %P} marks the default partition, the reason is last.
   */
  static final String SINFO_FORMAT = "%N|%T|%P|%E";

  /** The year 2100. Later times could overflow calculations. */
  private static final long LATEST_SECONDS = 4_102_444_800L;

  private SlurmOutput() {}

  private static final Pattern SUBMITTED = Pattern.compile("(?m)^Submitted batch job (\\d+)\\b");

  /** The job that the launcher's {@code sbatch} reported. */
  static Optional<JobId> submitted(String output) {
    Matcher m = SUBMITTED.matcher(output);
    return m.find() ? Optional.of(new JobId(m.group(1))) : Optional.empty();
  }

  /** A job of the queue with its owner. */
  record Queued(SlurmJob job, String user, String comment) {}

  static List<Queued> squeue(String output) {
    List<Queued> jobs = new ArrayList<>();
    for (String line : output.split("\n")) {
      String[] f = line.split("\\|", 9);
      if (f.length == 9 && f[0].matches("\\d+")) {
        SlurmState.parse(f[1])
            .ifPresent(
                state ->
                    jobs.add(
                        new Queued(
                            new SlurmJob(
                                new JobId(f[0]),
                                f[6],
                                state,
                                0,
                                epoch(f[2]),
                                Optional.empty(),
                                f[3].isBlank() ? f[4] : f[3],
                                f[8].strip()),
                            f[5],
                            f[7].strip())));
      }
    }
    return jobs;
  }

  /** A job of the accounting; it has a comment only where the cluster stores comments. */
  record Booked(SlurmJob job, String comment) {}

  static List<Booked> sacct(String output) {
    List<Booked> jobs = new ArrayList<>();
    for (String line : output.split("\n")) {
      String[] f = line.split("\\|", 8);
      if (f.length == 8 && f[0].matches("\\d+")) {
        SlurmState.parse(f[1])
            .ifPresent(
                state ->
                    jobs.add(
                        new Booked(
                            new SlurmJob(
                                new JobId(f[0]),
                                f[7],
                                state,
                                exitCode(f[2]),
                                epoch(f[3]),
                                epoch(f[4]),
                                f[5],
                                ""),
                            f[6].strip())));
      }
    }
    return jobs;
  }

  /** Parses {@code scontrol --oneliner show job}. */
  static List<Booked> showJob(String output) {
    List<Booked> jobs = new ArrayList<>();
    for (String line : output.split("\n")) {
      Map<String, String> f = fields(line);
      String id = f.getOrDefault("JobId", "");
      if (id.matches("\\d+")) {
        SlurmState.parse(f.getOrDefault("JobState", ""))
            .ifPresent(
                state ->
                    jobs.add(
                        new Booked(
                            new SlurmJob(
                                new JobId(id),
                                f.getOrDefault("JobName", ""),
                                state,
                                exitCode(f.getOrDefault("ExitCode", "")),
                                epoch(f.getOrDefault("StartTime", "")),
                                epoch(f.getOrDefault("EndTime", "")),
                                f.getOrDefault("NodeList", ""),
                                f.getOrDefault("Reason", "")),
                            f.getOrDefault("Comment", ""))));
      }
    }
    return jobs;
  }

  static List<Node> sinfo(String output) {
    Map<String, Node> nodes = new LinkedHashMap<>();
    for (String line : output.split("\n")) {
      String[] f = line.split("\\|", 4);
      if (f.length != 4 || f[0].isBlank()) {
        continue;
      }
      String state = f[1].strip().toLowerCase(Locale.ROOT);
      String why = f[3].strip().equals("none") ? "" : f[3].strip();
      Node other = nodes.get(f[0]);
      List<String> partitions = new ArrayList<>();
      if (other != null) {
        partitions.addAll(other.partitions());
      }
      partitions.add(f[2].strip());
      nodes.put(f[0], new Node(f[0], availability(state), state, why, List.copyOf(partitions)));
    }
    return List.copyOf(nodes.values());
  }

  /**
   * The availability by the states of sinfo(1), "NODE STATE CODES", and a trailing mark such as
   * {@code *}.
   */
  private static Node.Availability availability(String state) {
    if (state.endsWith("*")) {
      return Node.Availability.UNUSABLE;
    }
    return switch (state.replaceAll("[^a-z].*$", "")) {
      case "idle" -> Node.Availability.IDLE;
      case "allocated", "mixed", "completing", "planned", "reserved" -> Node.Availability.BUSY;
      default -> Node.Availability.UNUSABLE;
    };
  }

  /** "137:9" or "0:15": the exit code, or 128 plus the signal. */
  private static int exitCode(String text) {
    String[] parts = text.split(":", 2);
    try {
      int code = Integer.parseInt(parts[0].strip());
      int signal = parts.length == 2 ? Integer.parseInt(parts[1].strip()) : 0;
      return code == 0 && signal > 0 ? 128 + signal : code;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A time; empty for "N/A", and for a number that no job's time can be, such as 0. */
  private static Optional<Instant> epoch(String text) {
    try {
      return Optional.of(Long.parseLong(text.strip()))
          .filter(seconds -> seconds > 0 && seconds < LATEST_SECONDS)
          .map(Instant::ofEpochSecond);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new HashMap<>();
    for (String word : line.split(" ")) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        fields.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return fields;
  }
}
