package io.nightsweep.workload.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the settings of sweep files with the program's options. */
@Tag("kernels")
class KernelOptionsIT {
  private static final Path PROGRAM = Path.of("../native/build/nightsweep-kernels");

  /** Options without a setting: output paths, test faults, what a job hides. */
  private static final List<String> NOT_SETTINGS =
      List.of(
          "--help",
          "--out",
          "--rows",
          "--no-limits",
          "--backend",
          "--hash-hosts",
          "--host-salt",
          "--check-seed",
          "--case-limit",
          "--case-grace",
          "--inject",
          "--cycles",
          "--min-bytes",
          "--max-bytes",
          "--factor");

  static Stream<String> kernels() {
    return KernelOptions.kernels().stream();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everySettingIsAnOptionAndEveryOptionASetting(String kernel) throws Exception {
    List<String> options =
        Arrays.stream(help(kernel).split("[\\s,]+", -1))
            .filter(word -> word.matches("--[a-z][a-z-]*"))
            .filter(option -> !NOT_SETTINGS.contains(option))
            .distinct()
            .toList();
    // The program takes several sizes; a cell measures one, by the same name.
    assertThat(KernelOptions.of(kernel).values()).containsExactlyInAnyOrderElementsOf(options);
  }

  private static String help(String kernel) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(PROGRAM.toAbsolutePath().toString(), kernel, "--help")
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return text;
  }
}
