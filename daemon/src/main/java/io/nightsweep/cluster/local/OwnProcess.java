package io.nightsweep.cluster.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A job's session on this machine: told from a stranger with the same pid by its birth. */
final class OwnProcess {
  /** Field 22 of proc(5)'s stat, counted behind the parenthesised name. */
  private static final int START_TIME = 19;

  private static final int STATE = 0;
  private static final int SESSION = 3;

  private OwnProcess() {}

  /** The kernel's start time of a process; 0 where there is none, or only its remains. */
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

  /** The fields behind the parenthesised name; none where there is no such process. */
  private static List<String> stat(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    } catch (IOException | IndexOutOfBoundsException e) {
      return List.of();
    }
  }

  /** A process that ended before its birth was read has none, as every dead one. */
  static boolean isAlive(LocalJob job) {
    return job.birth() > 0 && birth(job.pid()) == job.birth();
  }

  /** Starts the job's script in a session of its own; gives its pid. */
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
    // A child of a JVM leads no process group, so setsid does not fork: the pid stays.
    return builder.start().pid();
  }

  /** The process that leads the session of a script; 0 where none does. */
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

  /** Signals the job's process group, and nothing else. */
  static void signal(LocalJob job, String signal) throws IOException, InterruptedException {
    if (isAlive(job)) {
      new ProcessBuilder("kill", "-s", signal, "--", "-" + job.pid())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
  }

  /** Ends the job, and what it started in groups of their own: a payload that ignores SIGTERM. */
  static void kill(LocalJob job) throws IOException, InterruptedException {
    if (isAlive(job)) {
      List<ProcessHandle> started =
          ProcessHandle.of(job.pid()).stream().flatMap(ProcessHandle::descendants).toList();
      signal(job, "KILL");
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
