package io.nightsweep.engine;

import com.fasterxml.jackson.core.type.TypeReference;
import io.nightsweep.evidence.Evidence;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads evidence in a process of its own. A job wrote these files, they may be packed a
 * thousandfold, and what they cost is to be this process's memory and time and not the daemon's.
 */
final class EvidenceChild {
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration TO_DIE = Duration.ofSeconds(10);
  private static final String HEAP = "-Xmx256m";

  /** HotSpot's exit code with ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  private static final int MOST_ANSWER_BYTES = 8 << 20;

  private EvidenceChild() {}

  /** What the child is told on its standard input. */
  record Order(
      AttemptId attempt,
      String job,
      List<String> roots,
      List<Profile> candidates,
      int nodes,
      Wanted wanted) {}

  /** How much is read. */
  enum Wanted {
    /** Which program was compiled. */
    PROGRAM,
    /** Everything that a profiled job shows. */
    ALL
  }

  /** Runs in the child: an order comes in, findings go out. */
  public static void main(String[] unused) throws IOException {
    Order order = Json.mapper().readValue(System.in, Order.class);
    List<Path> roots = order.roots().stream().map(Path::of).toList();
    List<Finding> findings =
        switch (order.wanted()) {
          case PROGRAM -> List.of(Evidence.programOf(order.attempt(), order.job(), roots));
          case ALL ->
              Evidence.of(order.attempt(), order.job(), roots, order.candidates(), order.nodes());
        };
    System.out.write(Json.mapper().writeValueAsBytes(findings));
    System.out.flush();
  }

  /** Returns at least one finding; that the child did not end by itself is one. */
  static List<Finding> read(Order order) {
    try {
      return findings(order);
    } catch (IOException e) {
      return List.of(unreadable(order, Statement.words(String.valueOf(e.getMessage()))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(unreadable(order, Statement.phrase("reader-daemon")));
    }
  }

  private static List<Finding> findings(Order order) throws IOException, InterruptedException {
    try (Confinement.Scratch scratch = Confinement.Scratch.create()) {
      return findings(order, scratch);
    }
  }

  private static List<Finding> findings(Order order, Confinement.Scratch scratch)
      throws IOException, InterruptedException {
    Process child = start(scratch);
    try {
      CompletableFuture<byte[]> answer =
          CompletableFuture.supplyAsync(
              () -> answer(child.getInputStream()), task -> Thread.ofVirtual().start(task));
      try (OutputStream in = child.getOutputStream()) {
        in.write(Json.mapper().writeValueAsBytes(order));
      }
      if (!child.waitFor(LONGEST.toMinutes(), TimeUnit.MINUTES)) {
        return List.of(unreadable(order, Statement.phrase("reader-late", LONGEST.toMinutes())));
      }
      if (child.exitValue() != 0) {
        return List.of(
            unreadable(
                order,
                child.exitValue() == OUT_OF_MEMORY
                    ? Statement.phrase("reader-memory", HEAP.substring(4))
                    : Statement.phrase("reader-ended", child.exitValue())));
      }
      return Json.mapper().readValue(answer.join(), new TypeReference<List<Finding>>() {});
    } finally {
      child.destroyForcibly().waitFor(TO_DIE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** A reader that waits for its order, and spills what it sorts into the folder. */
  static Process start(Confinement.Scratch scratch) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Confinement.strictest()
                .around(
                    scratch,
                    List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + scratch.folder(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EvidenceChild.class.getName())));
    // The child gets none of the daemon's own settings, secrets among them.
    builder.environment().keySet().retainAll(List.of("PATH", "LANG", "TMPDIR"));
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return builder.start();
  }

  private static byte[] answer(InputStream out) {
    try (out) {
      return out.readNBytes(MOST_ANSWER_BYTES);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  private static Finding unreadable(Order order, Statement why) {
    return switch (order.wanted()) {
      case PROGRAM -> new Finding(order.attempt(), Finding.PROGRAM, why, List.of());
      case ALL -> EvidenceDesk.unreadable(order.attempt(), why);
    };
  }
}
