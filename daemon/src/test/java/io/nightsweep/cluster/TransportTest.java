package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.files.ChildJvm;
import io.nightsweep.sweep.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The ways to run the cluster's commands, with stand-ins that accept only what the real programs
 * accept, record their arguments, and pass the line to a real shell.
 */
@Tag("xla")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class TransportTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final List<String> AWKWARD =
      List.of("it's", "two words", "$HOME `id` \\ \"x\" *", "--time=%s", "", "line\nbreak");

  /** Handles the one word after the host as sshd does. */
  private static final String SSH =
      """
      #!/bin/bash
      printf '%s\\0' "$@" > "$(dirname "$0")/ssh.argv"
      [[ $# == 7 && $1 == -o && $2 == BatchMode=yes && $3 == -o && $4 == ConnectTimeout=10 && $5 == -- ]] || exit 64
      [[ $6 == login1 ]] || { echo "ssh: Could not resolve hostname $6" >&2; exit 255; }
      exec env -i PATH="$PATH" HOME="$HOME" bash -c "$7"
      """;

  /** Follows the documented grammar, limits and exit codes of host_cmd.py. */
  private static final String HOST_CMD =
      """
      import argparse, os, re, subprocess, sys
      open(os.path.join(os.path.dirname(sys.argv[0]), "host_cmd.argv"), "w").write("\\0".join(sys.argv[1:]) + "\\0")
      p = argparse.ArgumentParser(allow_abbrev=False)
      p.add_argument("--timeout", type=int)
      p.add_argument("command")
      a = p.parse_args()
      mode = os.path.join(os.path.dirname(sys.argv[0]), "mode")
      if os.path.exists(mode):
          sys.exit(int(open(mode).read()))
      if len(a.command) > 4096 or re.search(r"\\b(sudo|mount|pkill|killall|systemctl)\\b", a.command):
          print("denied by policy", file=sys.stderr)
          sys.exit(-3)
      try:
          r = subprocess.run(["bash", "-c", a.command], capture_output=True, text=True, timeout=a.timeout,
                             env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]})
      except subprocess.TimeoutExpired:
          sys.exit(-1)
      # Both streams come back as one, and no exit code does: nothing may depend on either.
      print(r.stdout + r.stderr, end="")
      """;

  @TempDir private Path folder;
  private Path hostCmd = Path.of("");

  @BeforeEach
  void standIns() throws IOException {
    script("ssh", SSH);
    hostCmd = folder.resolve("host_cmd.py");
    Files.writeString(hostCmd, HOST_CMD);
    script(
        "sbatch",
        """
        #!/bin/bash
        printf '%s\\0' "$@" > "$(dirname "$0")/sbatch.argv"
        [[ $SLURM_TIME_FORMAT == %s && $SLURM_CONF == "/etc/a b/slurm.conf" ]] || exit 65
        echo "sbatch: warning: something on stderr" >&2
        echo "4711;cluster"
        """);
    script(
        "squeue",
        "#!/bin/bash\necho 'slurm_load_jobs error: Unable to contact slurm controller' >&2\nexit 1\n");
    script(
        "show",
        "#!/bin/bash\nprintf '%s\\0' \"$@\" > \"$(dirname \"$0\")/show.argv\"\necho out\necho err >&2\nexit 3\n");
  }

  @Test
  void everyWayHandsOverTheVectorWordForWord() throws Exception {
    for (Transport way : ways()) {
      List<String> command = new ArrayList<>(List.of(folder.resolve("show").toString()));
      command.addAll(AWKWARD);
      CommandRunner.Output output = runner(way).run(command, TIMEOUT);
      assertThat(argv("show")).as(way.words()).isEqualTo(AWKWARD);
      assertThat(output).isEqualTo(new CommandRunner.Output(3, "out\n", "err\n"));
    }
  }

  @Test
  void theVectorsAreTheseAndNoOthers() throws Exception {
    String line =
        "timeout -k 5 20 env SLURM_CONF='/etc/a b/slurm.conf' SLURM_TIME_FORMAT='%s' 'sbatch' '--version'";
    runner(ssh("login1")).run(List.of("sbatch", "--version"), TIMEOUT);
    assertThat(argv("ssh"))
        .containsExactly("-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "--", "login1", line);
    runner(throughHostCmd()).run(List.of("sbatch", "--version"), TIMEOUT);
    assertThat(argv("host_cmd"))
        .containsExactly(
            "--timeout",
            "20",
            "e=$(mktemp); "
                + line
                + " 2>\"$e\"; c=$?; printf '\\n%s %s\\n' nightsweep-exit $c; cat \"$e\"; rm -f \"$e\"");
    CommandRunner direct = Transport.DIRECT.runner(environment());
    assertThat(direct.run(List.of("bash", "-c", "echo $SLURM_CONF"), TIMEOUT).stdout())
        .isEqualTo("/etc/a b/slurm.conf\n");
  }

  /** Slurm passes a command's environment to its job, which may print it. */
  @Test
  @Tag("guard")
  void noCommandIsGivenASecretOfTheDaemonsEnvironment() throws Exception {
    ProcessBuilder daemon = new ProcessBuilder(ChildJvm.command(PrintsEnvironment.class));
    for (String name : List.of("HF_TOKEN", "GPG_PASSPHRASE", "X_COOKIE", "DB_PASS", "A_KEY_ID")) {
      daemon.environment().put(name, "canary");
    }
    // A daemon inside a job would pass on the variables of that job.
    for (String name : List.of("SLURM_JOB_ID", "SLURM_STEP_ID", "SBATCH_COMMENT", "SQUEUE_USERS")) {
      daemon.environment().put(name, "canary");
    }
    daemon.environment().put("NCCL_DEBUG", "kept");
    Process process = daemon.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(printed).contains("NCCL_DEBUG=kept").doesNotContain("canary");
  }

  /** A process with secrets in its environment, as a daemon may have. */
  static final class PrintsEnvironment {
    private PrintsEnvironment() {}

    public static void main(String[] args) throws Exception {
      System.out.println(
          Transport.DIRECT.runner(Map.of()).run(List.of("printenv"), TIMEOUT).stdout());
    }
  }

  @Test
  void slurmIsSubmittedToByEveryWay() throws Exception {
    for (Transport way : ways()) {
      SlurmCluster slurm = new SlurmCluster(runner(way), InstantSource.system());
      Path directory = Files.createDirectories(folder.resolve("job of " + way.kind()));
      Submission submission =
          new Submission(
              "ns-s-t0001a1",
              "a comment; with $(signs)",
              List.of("n1", "n2"),
              Optional.of("batch"),
              2,
              PerTask.UNSAID,
              Duration.ofMinutes(45),
              Map.of(),
              "true",
              directory,
              new JobFiles(directory));
      assertThat(slurm.submit(submission)).isEqualTo(new JobId("4711"));
      assertThat(argv("sbatch"))
          .as(way.words())
          .contains(
              "--job-name=ns-s-t0001a1",
              "--comment=ns-s-t0001a1 a comment; with $(signs)",
              "--nodelist=n1,n2",
              "--exclusive",
              "--ntasks-per-node=1",
              "--partition=batch",
              "--chdir=" + directory)
          .last()
          .isEqualTo(new JobFiles(directory).script().toString());
      assertThatThrownBy(() -> slurm.observe(List.of(handle(directory))))
          .as("no answer is not an answer")
          .isInstanceOf(ClusterUnreachableException.class)
          .hasMessageContaining("Unable to contact slurm controller");
    }
  }

  @Test
  @Tag("guard")
  void aCommandThatLeavesAChildWithItsOutputsBehindIsAnsweredAtItsOwnEnd() throws Exception {
    CommandRunner.Output output =
        new DirectRunner(Map.of())
            .run(List.of("bash", "-c", "sleep 600 & echo $!; echo said >&2"), TIMEOUT);
    ProcessHandle child = ProcessHandle.of(Long.parseLong(output.stdout().strip())).orElseThrow();
    try {
      assertThat(child.isAlive()).isTrue();
      assertThat(output.succeeded()).isTrue();
      assertThat(output.stderr()).isEqualTo("said\n");
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  @Tag("guard")
  void anAnswerWithoutEndIsNone() {
    assertThatThrownBy(
            () ->
                new DirectRunner(Map.of())
                    .run(List.of("head", "-c", "17000000", "/dev/zero"), TIMEOUT))
        .isInstanceOf(ClusterUnreachableException.class)
        .hasMessageContaining("more than 16 MiB");
  }

  /** A submission that continues after its intent was given up would start a second job. */
  @Test
  @Tag("guard")
  void nothingThatACommandBeganOutlivesItsTime() throws Exception {
    Path pid = folder.resolve("pid");
    assertThatThrownBy(
            () ->
                new DirectRunner(Map.of())
                    .run(
                        List.of("bash", "-c", "sleep 600 & echo $! >" + pid + "; wait"),
                        Duration.ofSeconds(5)))
        .isInstanceOf(ClusterUnreachableException.class);
    ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
        .ifPresent(child -> assertThat(child.onExit()).succeedsWithin(TIMEOUT));
  }

  @Test
  void aWayThatFailsIsNoAnswerOfTheCluster() throws Exception {
    assertThatThrownBy(() -> runner(ssh("nowhere")).run(List.of("sinfo"), TIMEOUT))
        .isInstanceOf(ClusterUnreachableException.class)
        .hasMessage("ssh nowhere: ssh: Could not resolve hostname nowhere");
    for (Transport way : List.of(ssh("login1"), throughHostCmd())) {
      assertThatThrownBy(() -> runner(way).run(List.of("sleep", "30"), Duration.ofSeconds(1)))
          .as(way.words())
          .isInstanceOf(ClusterUnreachableException.class);
    }
    CommandRunner host = runner(throughHostCmd());
    assertThatThrownBy(() -> host.run(List.of("sudo", "id"), TIMEOUT))
        .hasMessageContaining("its policy denies the command: denied by policy");
    assertThatThrownBy(() -> host.run(List.of("echo", "x".repeat(4096)), TIMEOUT))
        .hasMessageContaining("characters, and host-cmd takes 4096");
    Map<Integer, String> words =
        Map.of(-1, "timed out", -2, "exception", -4, "server has died", -5, "stale", 7, "code 7");
    for (Map.Entry<Integer, String> e : words.entrySet()) {
      Files.writeString(folder.resolve("mode"), e.getKey().toString());
      assertThatThrownBy(() -> host.run(List.of("true"), TIMEOUT))
          .isInstanceOf(ClusterUnreachableException.class)
          .hasMessageContaining(e.getValue());
    }
  }

  private List<Transport> ways() {
    return List.of(ssh("login1"), throughHostCmd());
  }

  private static Transport ssh(String host) {
    return new Transport(Transport.Kind.SSH, host);
  }

  private Transport throughHostCmd() {
    return new Transport(Transport.Kind.HOST_CMD, hostCmd.toString());
  }

  private static Map<String, String> environment() {
    return SlurmCluster.environment(Optional.of("/etc/a b/slurm.conf"));
  }

  /** Runs here, with the stand-ins first on the path. */
  private CommandRunner runner(Transport way) {
    CommandRunner direct =
        CommandRunner.direct(Map.of("PATH", folder + ":" + System.getenv("PATH")));
    return way.runner(
        (arguments, timeout) ->
            direct.run(
                arguments.getFirst().equals("ssh")
                    ? Stream.concat(
                            Stream.of(folder.resolve("ssh").toString()), arguments.stream().skip(1))
                        .toList()
                    : arguments,
                timeout),
        environment());
  }

  private static JobHandle handle(Path directory) {
    return new JobHandle(
        "ns-s-t0001a1", Optional.of(new JobId("4711")), Instant.EPOCH, new JobFiles(directory));
  }

  private List<String> argv(String program) throws IOException {
    return List.of(
        Files.readString(folder.resolve(program + ".argv")).replaceAll("\0$", "").split("\0", -1));
  }

  private void script(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
    assertThat(folder.resolve(name).toFile().setExecutable(true)).isTrue();
  }
}
