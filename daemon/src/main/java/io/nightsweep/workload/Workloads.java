package io.nightsweep.workload;

import io.nightsweep.joblog.JobLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The kinds of workload of this build, in the order of their registration. */
public final class Workloads {
  private static final List<WorkloadKind> KINDS =
      ServiceLoader.load(WorkloadKind.class, Workloads.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private Workloads() {}

  /** The kind with this name; empty where this build has none. */
  public static Optional<WorkloadKind> find(String name) {
    return KINDS.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }

  /** Reads the steps in a log of unknown kind with every kind's reader. */
  public static void hearSteps(JobLog log) {
    KINDS.forEach(kind -> kind.hearSteps(log));
  }

  public static List<WorkloadKind> all() {
    return KINDS;
  }

  /** The job that checks nodes, from the first kind that has one. */
  public static Optional<Workload> nodeGate(Path home) {
    return KINDS.stream().flatMap(kind -> kind.nodeGate(home).stream()).findFirst();
  }

  /** The names that {@code workload.kind} may have. */
  public static List<String> names() {
    return KINDS.stream().map(WorkloadKind::name).toList();
  }
}
