package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.nightsweep.cli.InTurn;
import io.nightsweep.engine.StateDirectory;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A daemon and commands as separate processes with an environment full of secrets. */
final class Planted {
  private Planted() {}

  /** A local server that receives notices; its address is a secret. */
  static final class Hook implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    final List<String> bodies = new CopyOnWriteArrayList<>();

    Hook() throws IOException {
      server.createContext(
          "/",
          exchange -> {
            bodies.add(
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
          });
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/hooks/canary-of-a-webhook";
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** An assistant's view over the Model Context Protocol: one line per call. */
  static List<String> asked(StateDirectory state, Path home, List<String> calls) throws Exception {
    ProcessBuilder mcp = nightsweep(home, "mcp", "--state", state.root().toString());
    mcp.environment().put("HF_TOKEN", "canary-of-hf-in-the-environment");
    Process process = mcp.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (Writer in = process.outputWriter()) {
      in.write(
          """
          {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
          {"jsonrpc": "2.0", "method": "notifications/initialized"}
          """);
      for (int i = 0; i < calls.size(); i++) {
        in.write(
            """
            {"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": %s}}
            """
                .formatted(i + 2, calls.get(i)));
      }
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    List<String> answers = said.lines().filter(line -> !line.contains("\"serverInfo\"")).toList();
    assertThat(answers).as(said).hasSize(calls.size());
    return answers;
  }

  /** What command lines print that are typed one after another. */
  static List<InTurn.Said> say(Path home, List<String> lines, Path... commands) throws Exception {
    List<String> words = new ArrayList<>();
    for (String line : lines) {
      words.addAll(words.isEmpty() ? List.of() : List.of(InTurn.THEN));
      words.addAll(List.of(line.split(" ")));
    }
    ProcessBuilder builder =
        program(InTurn.class.getName(), home, words.toArray(String[]::new))
            .redirectErrorStream(true);
    for (Path folder : commands) {
      first(builder, folder);
    }
    Process process = builder.start();
    String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(all).isZero();
    List<InTurn.Said> said = InTurn.answers(all);
    assertThat(said)
        .as(all)
        .hasSameSizeAs(lines)
        .allMatch(answer -> answer.code() != 2 && !answer.text().isBlank());
    return said;
  }

  /** Puts a folder first on the PATH. */
  private static void first(ProcessBuilder builder, Path folder) {
    builder.environment().merge("PATH", folder.toString(), (old, ours) -> ours + ":" + old);
  }

  private static ProcessBuilder nightsweep(Path home, String... words) {
    return program("io.nightsweep.cli.Main", home, words);
  }

  private static ProcessBuilder program(String main, Path home, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.awt.headless=true",
                "-Duser.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(List.of(words));
    return new ProcessBuilder(command);
  }

  /**
   * @param commands a folder of commands that come before those of the machine on the PATH
   */
  static Process serve(
      StateDirectory state, Path home, Path log, BotApi api, Hook hook, Path... commands)
      throws IOException {
    ProcessBuilder builder = nightsweep(home, "serve", "--state", state.root().toString());
    for (Path folder : commands) {
      first(builder, folder);
    }
    builder.environment().put("NIGHTSWEEP_WEBHOOK_URL", hook.url());
    builder.environment().put("HTTPS_PROXY", "http://me:canary-of-a-proxy@127.0.0.1:9");
    builder
        .environment()
        .putAll(
            Map.of(
                ChatSettings.SERVER,
                api.url(),
                ChatSettings.ROUTINE,
                "100",
                "HF_TOKEN",
                "canary-of-hf-in-the-environment",
                "MY_API_KEY",
                "canary-of-an-api-key",
                "TG_NOTE",
                "canary-of-telegram",
                "DB_PASSWORD",
                "canary-of-a-database"));
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  static Stream<Path> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).toList().stream();
    }
  }

  static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
