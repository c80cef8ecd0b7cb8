package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher of a checkout builds anew only where what it ships was changed. Of the checkout only
 * the launcher is the real one; its Maven copies a program of one line.
 */
@Tag("people")
class LauncherTest {
  private static final List<String> SOURCES =
      List.of("pom.xml", "daemon/pom.xml", "daemon/src/main/A.java", "flags/f", "playbooks/p");

  @TempDir private Path checkout;

  /** What the launcher starts here. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException {
      System.out.println("started with " + String.join(" ", args));
      System.out.println(Files.readString(Path.of("/proc/self/limits")));
    }
  }

  @BeforeEach
  void aCheckout() throws IOException {
    for (String source : SOURCES) {
      write(source, "as it was");
    }
    write("templates/t", "as it was");
    write("README.md", "as it was");
    write("daemon/src/test/T.java", "as it was");
    write("daemon/lab/jdk.sh", Files.readString(Path.of("lab/jdk.sh")));
    write("nightsweep", Files.readString(Path.of("../nightsweep")));
    jar(checkout.resolve("program.jar"));
    Path maven =
        write(
            "bin/mvn",
            """
            #!/bin/sh
            echo built >>'%1$s/builds'
            mkdir -p '%1$s/daemon/target/lib'
            cp '%1$s/program.jar' '%1$s/daemon/target/nightsweep.jar'
            """
                .formatted(checkout));
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void buildsWhereASourceWasChangedAndNotWhereItWasOnlyTouched() throws Exception {
    assertThat(launch()).contains("started with status");
    assertThat(builds()).isEqualTo(1);
    Instant later = Instant.now().plusSeconds(5);
    for (String file : SOURCES) {
      touch(file, later);
    }
    touch("daemon/src/main", later);
    write("README.md", "changed");
    touch("README.md", later);
    write("daemon/src/test/T.java", "changed");
    touch("daemon/src/test/T.java", later);
    assertThat(launch()).contains("started with status");
    assertThat(builds()).as("after what is not shipped, or not changed").isEqualTo(1);

    write("templates/t", "changed");
    touch("templates/t", later.plusSeconds(5));
    assertThat(launch()).contains("nightsweep: building", "started with status");
    assertThat(builds()).isEqualTo(2);
    for (String file : SOURCES) {
      touch(file, Instant.EPOCH);
    }
    touch("templates/t", Instant.EPOCH);
    touch("daemon/src/main", Instant.EPOCH);
    Files.delete(checkout.resolve("flags/f"));
    touch("flags", later);
    assertThat(launch()).contains("nightsweep: building");
    assertThat(builds()).as("after a file was removed").isEqualTo(3);
  }

  /** A core dump would hold the environment, and with it the tokens. */
  @Test
  @Tag("guard")
  void whatItStartsLeavesNoCoreDump() throws Exception {
    assertThat(launch()).containsPattern("Max core file size +0 +0 ");
  }

  private Path write(String name, String text) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    return Files.writeString(file, text);
  }

  private void touch(String name, Instant at) throws IOException {
    Files.setLastModifiedTime(checkout.resolve(name), FileTime.from(at));
  }

  private long builds() throws IOException {
    return Files.readAllLines(checkout.resolve("builds")).size();
  }

  private String launch() throws Exception {
    ProcessBuilder launcher =
        new ProcessBuilder("bash", checkout.resolve("nightsweep").toString(), "status")
            .redirectErrorStream(true);
    launcher.environment().put("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"));
    launcher.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = launcher.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static void jar(Path file) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Program.class.getName());
    String name = Program.class.getName().replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest);
        InputStream program =
            Objects.requireNonNull(LauncherTest.class.getResourceAsStream("/" + name))) {
      jar.putNextEntry(new JarEntry(name));
      program.transferTo(jar);
    }
  }
}
