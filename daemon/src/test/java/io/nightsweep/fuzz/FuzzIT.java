package io.nightsweep.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every reader of foreign input under Jazzer, which is guided by coverage. An input on which a
 * reader fails is kept as a sample of {@link FuzzSamplesTest}.
 */
@Tag("guard")
class FuzzIT {
  /** Extra time to start, and to wait while other tests have the processors. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final int AT_ONCE = 2;

  /** Half of it passes while the fuzzed code is loaded. */
  private static final int SHORT_SECONDS = 60;

  private static final Pattern RUNS = Pattern.compile("Done (\\d+) runs? in (\\d+) second");

  /**
   * Hooks that are off. People write patterns and paths in playbooks and sweep files, which is no
   * injection; no reader queries a database, a directory or an interpreter, and those hooks take
   * half of the start; a log is searched with thousands of patterns.
   */
  private static final List<String> WITHOUT =
      Stream.of(
              "RegexInjection",
              "FilePathTraversal",
              "ClojureLangHooks",
              "ExpressionLanguageInjection",
              "LdapInjection",
              "NamingContextLookup",
              "RegexRoadblocks",
              "ScriptEngineInjection",
              "SqlInjection",
              "TemplateInjection",
              "UnsafeSanitizer",
              "XPathInjection",
              "XmlParserSsrfGuidance")
          .map("com.code_intelligence.jazzer.sanitizers."::concat)
          .toList();

  @TempDir Path dir;

  @Test
  void aMinuteOfAllFindsNothing() throws Exception {
    Path home = Files.createDirectory(dir.resolve("ALL"));
    Path corpus = Files.createDirectory(home.resolve("corpus"));
    for (Target target : Target.values()) {
      for (Path sample : target.samples()) {
        Files.write(
            corpus.resolve(target + "-" + sample.getFileName()),
            AnyReaderFuzz.input(target, Files.readAllBytes(sample)));
      }
    }
    String failure = fuzz("ALL", AnyReaderFuzz.class, SHORT_SECONDS, home, corpus);
    for (Path crash : crashes(home)) {
      byte[] input = Files.readAllBytes(crash);
      if (input.length > 0) {
        keep(AnyReaderFuzz.target(input), crash, AnyReaderFuzz.rest(input));
      }
    }
    assertThat(failure).isEmpty();
  }

  @Test
  @Tag("night")
  void halfAnHourEachFindsNothing() throws Exception {
    int seconds = Integer.getInteger("fuzz.seconds", 1_800);
    try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Callable<String>> runs = new ArrayList<>();
      for (Target target : Target.values()) {
        runs.add(() -> fuzz(target, seconds));
      }
      List<String> failures = new ArrayList<>();
      for (Future<String> run : pool.invokeAll(runs)) {
        failures.add(run.get());
      }
      assertThat(failures).allMatch(String::isEmpty);
    }
  }

  private String fuzz(Target target, int seconds) throws IOException, InterruptedException {
    Path home = Files.createDirectory(dir.resolve(target.name()));
    Path corpus = Files.createDirectory(home.resolve("corpus"));
    for (Path sample : target.samples()) {
      Files.copy(
          sample,
          corpus.resolve(String.valueOf(sample.getFileName())),
          StandardCopyOption.REPLACE_EXISTING);
    }
    String failure = fuzz(target.name(), target.fuzzed(), seconds, home, corpus);
    for (Path crash : crashes(home)) {
      keep(target, crash, Files.readAllBytes(crash));
    }
    return failure;
  }

  /** The error; empty if there was none. */
  private static String fuzz(String name, Class<?> fuzzed, int seconds, Path home, Path corpus)
      throws IOException, InterruptedException {
    Path said = home.resolve("said");
    Process fuzzer =
        new ProcessBuilder(command(fuzzed, seconds, home, corpus))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended;
    try {
      ended = fuzzer.waitFor(seconds + PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } finally {
      fuzzer.destroyForcibly();
    }
    String text = Files.readString(said, StandardCharsets.ISO_8859_1);
    Matcher runs = RUNS.matcher(text);
    if (!ended || fuzzer.exitValue() != 0 || !runs.find()) {
      return name + "; what it failed on is kept as a sample\n" + end(text);
    }
    System.out.printf("fuzzed %s: %s runs in %s s%n", name, runs.group(1), runs.group(2));
    return "";
  }

  private static List<Path> crashes(Path home) throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files.filter(FuzzIT::isCrash).toList();
    }
  }

  private static void keep(Target target, Path crash, byte[] input) throws IOException {
    Files.createDirectories(target.kept());
    Files.write(target.kept().resolve(String.valueOf(crash.getFileName())), input);
  }

  private static boolean isCrash(Path file) {
    return String.valueOf(file.getFileName()).matches("(crash|oom|timeout)-[0-9a-f]+");
  }

  /**
   * Jazzer as a program: its JUnit extension fuzzes one test per JVM, and is built against an
   * earlier JUnit.
   */
  private static List<String> command(Class<?> fuzzed, int seconds, Path home, Path corpus) {
    // In a longer run, optimised compilation pays off.
    boolean isShort = fuzzed == AnyReaderFuzz.class;
    return List.of(
        "nice",
        "-n5",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=" + (isShort ? 1 : 4),
        "-XX:+EnableDynamicAgentLoading",
        "--enable-native-access=ALL-UNNAMED",
        "-Djava.io.tmpdir=" + home,
        "-cp",
        System.getProperty("java.class.path"),
        "com.code_intelligence.jazzer.Jazzer",
        "--target_class=" + fuzzed.getName(),
        "--instrumentation_includes=io.nightsweep.**",
        "--custom_hook_includes=io.nightsweep.**",
        "--disabled_hooks=" + String.join(":", WITHOUT),
        "--reproducer_path=" + home,
        "-artifact_prefix=" + home + "/",
        "-max_total_time=" + seconds,
        // An ordinary run should fail because of a change and not by chance; nightly runs draw new
        // seeds.
        "-seed=" + (isShort ? 1 : 0),
        "-timeout=120",
        "-max_len=" + (isShort ? 8_192 : 65_536),
        "-rss_limit_mb=2048",
        corpus.toString());
  }

  private static String end(String text) {
    return text.substring(Math.max(0, text.length() - 4_000));
  }
}
