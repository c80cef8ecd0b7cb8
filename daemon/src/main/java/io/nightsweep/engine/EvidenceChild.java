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
 * Reads evidence in a separate process. Jobs wrote these files, which may be compressed by a factor
 * of a thousand, so the memory and time to read them must not be the daemon's.
 */
final class EvidenceChild {
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration TO_DIE = Duration.ofSeconds(10);
  private static final String HEAP = "-Xmx256m";

  /** HotSpot's exit code with ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  private static final int MOST_ANSWER_BYTES = 8 << 20;

  private EvidenceChild() {}

  /** The child's input. */
  record Order(
      AttemptId attempt,
      String job,
      List<String> roots,
      List<Profile> candidates,
      int nodes,
      Wanted wanted) {}

  /** Which part of the evidence is read. */
  enum Wanted {
    /** Only which program was compiled. */
    PROGRAM,
    /** Everything that a profiled job shows. */
    ALL
  }

  /** Entry point of the child: reads an order and writes findings. */
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

  /** Returns at least one finding; if the child does not end by itself, the finding says so. */
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

  /** Starts a reader that waits for its order and uses the folder for sorting on disk. */
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
    // The child does not inherit the daemon's settings, which include secrets.
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
