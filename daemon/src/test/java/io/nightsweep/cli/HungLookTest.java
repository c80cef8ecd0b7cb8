package io.nightsweep.cli;

import static io.nightsweep.cli.Served.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.SweepOrigin;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A file server or a controller that does not answer. */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class HungLookTest {
  @TempDir Path dir;

  @AutoClose private Served served;

  @BeforeEach
  void open() {
    served = new Served(dir);
  }

  @Test
  void aLookThatHangsIsToldToPeopleAndSoIsItsEnd() throws Exception {
    List<String> got = new CopyOnWriteArrayList<>();
    HttpServer hook =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/",
        exchange -> {
          got.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    hook.start();
    try {
      Path hangs = Files.createFile(dir.resolve("hangs"));
      ProcessBuilder daemon = onSlurm(hangs, "--longest-look", "30");
      daemon
          .environment()
          .put("NIGHTSWEEP_SLACK_URL", "http://127.0.0.1:" + hook.getAddress().getPort() + "/hook");
      served.answering(daemon.redirectOutput(dir.resolve("said").toFile()));
      startOnSlurm();
      await()
          .atMost(PATIENCE)
          .until(() -> got.stream().anyMatch(m -> m.contains("NOT LOOKED AT: a look at sweep s")));
      Files.delete(hangs);
      await()
          .atMost(PATIENCE)
          .until(() -> got.stream().anyMatch(m -> m.contains("the look at sweep s has ended")));
    } finally {
      hook.stop(0);
    }
  }

  @Test
  void aDaemonWhoseLookDoesNotEndGivesItsPlaceToAnother() throws Exception {
    Path hangs = Files.createFile(dir.resolve("hangs"));
    Path said = dir.resolve("said");
    Process first =
        served.answering(onSlurm(hangs, "--longest-look", "2").redirectOutput(said.toFile()));
    startOnSlurm();

    assertThat(first.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(first.exitValue()).isEqualTo(75);
    Files.delete(hangs);
    assertThat(said)
        .content()
        .contains("a look at sweep s has not ended in 2 s; the daemon ends and is started again");
    served.awaitAnswer();
    Reply.Pong next = served.client.ping().orElseThrow();
    assertThat(next.pid()).isNotEqualTo(first.pid());
    ProcessHandle.of(next.pid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  private void startOnSlurm() throws IOException {
    ClusterChoice slurm = new ClusterChoice(ClusterChoice.Kind.SLURM, Optional.empty());
    assertThat(
            served.client.ask(
                new Request.Start(
                    "s", "# none", new SweepOrigin(slurm, "sweep.yaml", "me"), allreduce()),
                PATIENCE))
        .isEqualTo(new Reply.Started("s"));
  }

  /**
   * A daemon with a queue that does not answer while the file exists, for twenty seconds at most.
   */
  private ProcessBuilder onSlurm(Path hangs, String... options) throws IOException {
    Path commands = Files.createDirectory(dir.resolve("bin"));
    for (String command : List.of("sinfo", "squeue", "scontrol", "sbatch", "scancel", "sacct")) {
      Path fake =
          Files.writeString(
              commands.resolve(command),
              """
              #!/bin/sh
              case "${0##*/} $*" in
                sinfo*--Node*) printf 'n1|idle|batch*|none\\nn2|idle|batch*|none\\n' ;;
                squeue*|sbatch*) for i in $(seq 100); do test -e %s || break; sleep 0.2; done ;;
              esac
              """
                  .formatted(hangs));
      assertThat(fake.toFile().setExecutable(true)).isTrue();
    }
    ProcessBuilder builder = served.program(options);
    builder.environment().merge("PATH", commands.toString(), (path, before) -> before + ":" + path);
    builder.environment().remove("INVOCATION_ID");
    return builder;
  }

  private static SweepSpec allreduce() {
    return Specs.set(
        Specs.kernels(4, 30), new TreeMap<>(Map.of("kernel", "allreduce", "sizes", "1024")));
  }
}
