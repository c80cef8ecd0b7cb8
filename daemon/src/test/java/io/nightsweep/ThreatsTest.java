package io.nightsweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code mvn verify -Dgroups=guard} runs every test that {@code THREATS.md} names as a defence. */
@Tag("guard")
class ThreatsTest {
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT|Contract))`");

  @Test
  void everyTestThatThePageNamesIsThereAndCarriesTheTag() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        sources.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    assertThat(NAMED.matcher(Files.readString(Path.of("THREATS.md"))).results())
        .extracting(name -> name.group(1))
        .hasSizeGreaterThan(50)
        .allSatisfy(
            name ->
                assertThat(sources.getOrDefault(name + ".java", "there is no such test"))
                    .as(name)
                    .contains("@Tag(\"guard\")"));
  }
}
