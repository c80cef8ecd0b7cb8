package io.nightsweep.cluster.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job's session on this machine; its birth time distinguishes it from another process with the
 * same pid.
 */
final class OwnProcess {
  /** Field 22 of proc(5)'s stat, counted from the parenthesised name. */
  private static final int START_TIME = 19;

  private static final int STATE = 0;
  private static final int SESSION = 3;

  private OwnProcess() {}

  /** The kernel's start time of a process; 0 where there is none, or only a zombie. */
  static long birth(long pid) {
    List<String> fields = stat(pid);
    return fields.isEmpty() || fields.get(STATE).equals("Z")
        ? 0
        : Long.parseLong(fields.get(START_TIME));
  }

  private static boolean isLeader(long pid) {
    List<String> fields = stat(pid);
    return !fields.isEmpty() && fields.get(SESSION).equals(Long.toString(pid));
  }

  /** The fields after the parenthesised name; empty where there is no such process. */
  private static List<String> stat(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    } catch (IOException | IndexOutOfBoundsException e) {
      return List.of();
    }
  }

  /**
   * Whether the job's process lives; a process that ended before its birth was read has birth 0.
   */
  static boolean isAlive(LocalJob job) {
    return job.birth() > 0 && birth(job.pid()) == job.birth();
  }

  /** Starts the job's script in a session of its own; returns its pid. */
  static long start(LocalJob job) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "/bin/bash", job.files().script().toString());
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(Set.of("PATH", "HOME", "USER"));
    environment.put("NIGHTSWEEP_JOB_ID", Long.toString(job.id()));
    builder
        .directory(job.files().directory().toFile())
        .redirectErrorStream(true)
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(job.files().log().toFile()));
    // A child of a JVM does not lead a process group, so setsid does not fork and the pid stays.
    return builder.start().pid();
  }

  /** The process that leads a script's session; 0 where there is none. */
  static long leader(Path script) {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .arguments()
                    .filter(words -> List.of(words).contains(script.toString()))
                    .isPresent())
        .mapToLong(ProcessHandle::pid)
        .filter(OwnProcess::isLeader)
        .findFirst()
        .orElse(0);
  }

  /** Signals exactly the job's process group. */
  static void signal(LocalJob job, String signal) throws IOException, InterruptedException {
    if (isAlive(job)) {
      new ProcessBuilder("kill", "-s", signal, "--", "-" + job.pid())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
  }

  /**
   * Kills the job and the processes that it started in other groups, even if its payload ignores
   * SIGTERM.
   */
  static void kill(LocalJob job) throws IOException, InterruptedException {
    if (isAlive(job)) {
      List<ProcessHandle> started =
          ProcessHandle.of(job.pid()).stream().flatMap(ProcessHandle::descendants).toList();
      signal(job, "KILL");
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
