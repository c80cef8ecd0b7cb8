package io.nightsweep.lab;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.slurm.SlurmCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One real four-node Slurm for all tests of this JVM; started on first use, stopped when the JVM
 * ends.
 */
public final class SlurmLab {
  private static final Path SCRIPT = Path.of("lab/lab").toAbsolutePath();

  private static SlurmLab running;

  private final Path state;

  private SlurmLab(Path state) {
    this.state = state;
  }

  public static synchronized SlurmLab up() {
    if (running == null) {
      SlurmLab lab = new SlurmLab(state(""));
      lab.lab("up", "--nodes", "4", "--plain-login");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> lab.lab("down", "--delete")));
      running = lab;
    }
    return running;
  }

  /**
   * A separate lab with a Slurm that forgets ended jobs after seconds and keeps its accounting in a
   * database.
   */
  public static SlurmLab withAccounting() {
    SlurmLab lab = new SlurmLab(state("-accounting"));
    lab.lab("up", "--nodes", "4", "--plain-login", "--accounting");
    try {
      Path conf = Path.of(lab.slurmConf());
      Files.writeString(
          conf, Files.readString(conf).replaceAll("(?m)^MinJobAge=.*$", "MinJobAge=2"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lab.slurm("scontrol", "reconfigure");
    return lab;
  }

  /** Its Slurm, as Nightsweep uses it. */
  public SlurmCluster cluster() {
    return new SlurmCluster(
        CommandRunner.direct(SlurmCluster.environment(Optional.of(slurmConf()))),
        InstantSource.system());
  }

  public void down() {
    lab("down", "--delete");
  }

  /**
   * One per checkout and per JVM of a test run, and never below /tmp, since every virtual node has
   * its own /tmp.
   */
  private static Path state(String suffix) {
    Path checkout = Path.of("..").toAbsolutePath().normalize();
    try {
      Path labs =
          Files.createDirectories(
              Path.of(
                  System.getProperty("user.home"),
                  ".cache",
                  "nightsweep",
                  "test-labs-" + Integer.toHexString(checkout.hashCode())));
      Files.writeString(labs.resolve("checkout"), checkout + "\n");
      return labs.resolve(System.getProperty("nightsweep.lab", "0") + suffix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An installation with the built kernels in a place that all nodes see. */
  public Path home() {
    try {
      Path built = Path.of("../native/build/nightsweep-kernels");
      Path home = shared("home");
      Path program = home.resolve("native/build/nightsweep-kernels");
      if (!Files.exists(program)) {
        Files.createDirectories(program.resolveSibling("."));
        Files.copy(built, program);
      }
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the kernels are not built; run './nightsweep setup': " + e.getMessage(), e);
    }
  }

  /** The value of {@code SLURM_CONF} for Slurm's commands. */
  public String slurmConf() {
    String line = lab("env");
    int equals = line.indexOf('=');
    return line.substring(equals + 1).strip().replaceAll("^['\"]|['\"]$", "");
  }

  /** A directory that all nodes see. */
  public Path shared(String name) {
    try {
      return Files.createDirectories(
          Files.createDirectories(state.resolve("shared")).resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empties {@link #shared} of this JVM's lab; the files are kept beside it for inspection. */
  static synchronized void setFilesAside() {
    if (running == null) {
      return;
    }
    Path shared = running.state.resolve("shared");
    try {
      if (Files.exists(shared)) {
        Files.move(shared, running.state.resolve("shared-" + System.nanoTime()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Resumes the nodes of this JVM's lab that Slurm drained because a step outlived its signals:
   * that is nobody's test, and every later class would wait for them.
   */
  static synchronized void bringBackNodes() {
    if (running == null) {
      return;
    }
    try {
      for (String line :
          running.slurm("sinfo", "-h", "-N", "-o", "%N|%E").lines().distinct().toList()) {
        if (line.endsWith("|Kill task failed")) {
          String node = line.substring(0, line.indexOf('|'));
          running.slurm("scontrol", "update", "nodename=" + node, "state=resume");
        }
      }
    } catch (IllegalStateException noController) {
      // The class that needs the controller reports it.
    }
  }

  /** Slurm's own records of ended jobs, one line each. */
  public Path books() {
    return state.resolve("jobs.log");
  }

  /** Runs a subcommand of the lab script, such as {@code kill-node n3}. */
  public String lab(String... arguments) {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), "--state", state.toString()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Runs one of Slurm's own commands against this lab. */
  public String slurm(String... command) {
    List<String> all = new ArrayList<>(List.of("env", "SLURM_CONF=" + slurmConf()));
    all.addAll(List.of(command));
    return run(all);
  }

  private static String run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException(command + " exited with " + code + ":\n" + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
