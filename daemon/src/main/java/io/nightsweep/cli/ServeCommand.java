package io.nightsweep.cli;

import io.nightsweep.engine.Daemon;
import io.nightsweep.engine.SocketServer;
import io.nightsweep.engine.StateDirectory;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "The daemon in the foreground, for systemd; takes up all unfinished sweeps.")
final class ServeCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(ServeCommand.class);

  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(30);

  @Mixin private StateOptions state;

  @Option(
      names = "--idle-exit",
      paramLabel = "SECONDS",
      description = "End once no sweep was driven for so long (default: never).")
  private @Nullable Integer idleExitSeconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    StateDirectory directory = state.directory();
    Daemon daemon = Daemon.open(directory, Places.parts(), InstantSource.system());
    SocketServer server = SocketServer.listen(directory.socket(), daemon::handle, CLIENT_PATIENCE);
    CountDownLatch told = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              told.countDown();
              end(daemon, server, "SIGTERM");
            });
    Runtime.getRuntime().addShutdownHook(hook);
    log.info("serving {}", directory.root());
    while (!told.await(1, TimeUnit.SECONDS)) {
      if (idleExitSeconds != null
          && daemon.idleFor().compareTo(Duration.ofSeconds(idleExitSeconds)) > 0) {
        Runtime.getRuntime().removeShutdownHook(hook);
        end(daemon, server, "idle");
        return ExitCode.OK;
      }
    }
    hook.join();
    return ExitCode.OK;
  }

  private static void end(Daemon daemon, SocketServer server, String reason) {
    try {
      server.close();
      daemon.close(reason);
    } catch (IOException e) {
      log.error("the daemon did not end in good order: {}", e.getMessage());
    }
  }
}
