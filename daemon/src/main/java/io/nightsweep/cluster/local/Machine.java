package io.nightsweep.cluster.local;

import io.nightsweep.sweep.Fact;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Describes this machine from Linux's own files: measured figures mean nothing without it. */
final class Machine {
  /** The kernel's names for the processor's model: x86, then other architectures. */
  private static final List<String> MODELS = List.of("model name", "cpu model", "cpu", "hardware");

  private static final double KIB_IN_A_GIB = 1 << 20;

  private Machine() {}

  /**
   * The processor's model with the usable CPUs, and the memory in GiB; facts that Linux does not
   * show are absent.
   *
   * @param cpus that jobs may use
   */
  static List<Fact> facts(Path proc, int cpus) {
    List<Fact> facts = new ArrayList<>();
    String model =
        MODELS.stream()
            .flatMap(name -> value(proc.resolve("cpuinfo"), name).stream())
            .findFirst()
            .orElseGet(() -> System.getProperty("os.arch", "unknown"));
    facts.add(new Fact("processor", model + ", " + cpus + (cpus == 1 ? " CPU" : " CPUs"), true));
    value(proc.resolve("meminfo"), "memtotal")
        .map(total -> total.replaceAll("\\D", ""))
        .filter(kib -> !kib.isEmpty())
        .ifPresent(
            kib ->
                facts.add(
                    new Fact(
                        "memory",
                        String.format(
                            Locale.ROOT, "%.1f GiB", Double.parseDouble(kib) / KIB_IN_A_GIB),
                        true)));
    return List.copyOf(facts);
  }

  /**
   * The value in the first matching line of the form {@code name : value}; empty where there is
   * none.
   */
  private static Optional<String> value(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(line -> line.split(":", 2))
          .filter(pair -> pair.length == 2)
          .filter(pair -> pair[0].strip().toLowerCase(Locale.ROOT).equals(name))
          .map(pair -> pair[1].strip().replaceAll("\\s+", " "))
          .filter(value -> !value.isEmpty())
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }
}
