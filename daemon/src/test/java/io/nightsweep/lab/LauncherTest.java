package io.nightsweep.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher of a checkout with a Java and a Maven that print their arguments. */
@Tag("people")
class LauncherTest {
  private static final List<Path> STORES =
      List.of(
          Path.of("/etc/ssl/certs/java/cacerts"),
          Path.of("/etc/pki/ca-trust/extracted/java/cacerts"));

  @TempDir private Path dir;

  @BeforeEach
  void aCheckout() throws IOException {
    Files.copy(Path.of("../nightsweep"), dir.resolve("nightsweep"));
    Files.createDirectories(dir.resolve("daemon/lab"));
    Files.createDirectories(dir.resolve("daemon/src/main"));
    Files.copy(Path.of("lab/jdk.sh"), dir.resolve("daemon/lab/jdk.sh"));
    for (String folder : List.of("flags", "playbooks", "templates")) {
      Files.createDirectories(dir.resolve(folder));
    }
    Files.writeString(dir.resolve("pom.xml"), "<project/>\n");
    Files.writeString(dir.resolve("daemon/pom.xml"), "<project/>\n");
    Files.createDirectories(dir.resolve("jdk/bin"));
    Files.writeString(dir.resolve("jdk/release"), "JAVA_VERSION=\"21.0.4\"\n");
    script("jdk/bin/javac", "");
    script("jdk/bin/java", "echo \"java: $*\"");
    script("daemon/lab/lab", "echo \"lab: $*\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --state DIR init -o f.yaml            | init --state DIR -o f.yaml
          --state=DIR --sweep=a status --json   | status --state=DIR --sweep=a --json
          --cluster local --state DIR start f   | start --cluster local --state DIR f
          status --state DIR                    | status --state DIR
          --version                             | --version
          """)
  void optionsBeforeTheCommandGoToIt(String given, String taken) throws Exception {
    maven("true");
    assertThat(launcher(given.split(" "))).contains("-jar ").endsWith(".jar " + taken);
    assertThat(launcher("--state", "DIR", "lab", "env")).isEqualTo("lab: --state DIR env");
  }

  /** As behind a company's proxy with a certificate that an unpacked JDK does not know. */
  @Test
  void aJdkThatDoesNotTrustTheNetworkBuildsWithTheSystemsCertificates() throws Exception {
    maven("[[ $MAVEN_OPTS == *-Djavax.net.ssl.trustStore=/etc/* ]] || untrusted");
    String said = launcher("status");
    if (STORES.stream().anyMatch(Files::exists)) {
      assertThat(said).contains("once more with the system's store, /etc/").endsWith(" status");
    } else {
      assertThat(said).contains("export MAVEN_OPTS=-Djavax.net.ssl.trustStore=FILE");
    }
  }

  @Test
  void whereNoStoreIsTrustedItSaysWhatToDo() throws Exception {
    maven("untrusted");
    assertThat(launcher("status"))
        .contains("PKIX path building failed")
        .contains("such as a company proxy's. Give Maven a trust store that has it")
        .contains("the build failed");
  }

  /** After another kind of failure a second build would not help. */
  @Test
  void anotherFailureIsNotPutDownToCertificates() throws Exception {
    maven("echo run >>runs; echo 'Foo.java:[1,2] error: no such thing'; exit 1");
    assertThat(launcher("status")).contains("error: no such thing").doesNotContain("trust");
    assertThat(dir.resolve("runs")).hasContent("run");
  }

  private void maven(String body) throws IOException {
    Files.createDirectories(dir.resolve("bin"));
    script(
        "bin/mvn",
        """
        cd '%s'
        untrusted() { echo 'Could not transfer artifact: PKIX path building failed'; exit 1; }
        MAVEN_OPTS=${MAVEN_OPTS:-}
        %s
        mkdir -p daemon/target/lib
        touch daemon/target/nightsweep.jar
        """
            .formatted(dir, body));
  }

  private void script(String name, String body) throws IOException {
    Path file = Files.writeString(dir.resolve(name), "#!/bin/bash\nset -eu\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** The launcher's output in an environment without variables for Java or Maven. */
  private String launcher(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", dir.resolve("nightsweep").toString()));
    Stream.of(arguments).forEach(command::add);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("MAVEN_OPTS");
    builder.environment().put("JAVA_HOME", dir.resolve("jdk").toString());
    builder
        .environment()
        .merge("PATH", dir.resolve("bin").toString(), (old, own) -> own + ":" + old);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.strip();
  }
}
