package io.nightsweep.cluster.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A job's session on this machine: told from a stranger with the same pid by its birth. */
final class OwnProcess {
  /** Field 22 of proc(5)'s stat, counted behind the parenthesised name. */
  private static final int START_TIME = 19;

  private static final int STATE = 0;

  private OwnProcess() {}

  /** The kernel's start time of a process; 0 where there is none, or only its remains. */
  static long birth(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
      return fields.get(STATE).equals("Z") ? 0 : Long.parseLong(fields.get(START_TIME));
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  static boolean isAlive(LocalJob job) {
    return job.pid() > 0 && birth(job.pid()) == job.birth();
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
