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
import java.util.ArrayList;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher of a checkout rebuilds only if a packed file has changed. Only the launcher of this
 * checkout is real; its Maven copies a program of one line.
 */
@Tag("people")
@Tag("slow")
class LauncherTest {
  private static final List<String> SOURCES =
      List.of("pom.xml", "daemon/pom.xml", "daemon/src/main/A.java", "flags/f", "playbooks/p");

  @TempDir private Path checkout;

  /** The program that the launcher starts here. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException {
      System.out.println("started with " + String.join(" ", args));
      System.out.println(Files.readString(Path.of("/proc/self/limits")));
      for (String arg : args) {
        System.out.println(Files.exists(Path.of(arg)) ? "a file" : "no file");
      }
      System.out.println(System.getProperty("stdout.encoding") + " in " + System.getenv("LC_ALL"));
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
    program(
        "bin/mvn",
        """
        #!/bin/sh
        echo built >>'%1$s/builds'
        mkdir -p '%1$s/daemon/target/lib'
        cp '%1$s/program.jar' '%1$s/daemon/target/nightsweep.jar'
        """
            .formatted(checkout));
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

  /** The only stand-in of the JDK is its linker: it copies a Java that starts this test's own. */
  @Test
  void aBundleIsUnpackedAndStartedByAnybodyWhoHasNoJava() throws Exception {
    String java = "#!/bin/sh\nexec '" + System.getProperty("java.home") + "/bin/java' \"$@\"\n";
    program("jdk/bin/java", java);
    program("jdk/bin/javac", java);
    write("jdk/release", "JAVA_VERSION=\"25\"\n");
    program(
        "jdk/bin/jlink",
        """
        #!/bin/bash
        while [[ $1 != --output ]]; do shift; done
        mkdir -p "$2/lib" && cp -R '%s/jdk/.' "$2/"
        """
            .formatted(checkout));
    write("font.ttf", "a font");
    program("bin/fc-list", "#!/bin/sh\n");
    program("bin/fc-match", "#!/bin/sh\nprintf %s '" + checkout.resolve("font.ttf") + "'\n");
    program("daemon/lab/bundle", Files.readString(Path.of("lab/bundle")));
    for (String file : List.of("LICENSE", "daemon/docs/words.md", "native/CMakeLists.txt")) {
      write(file, "as it was");
    }
    program("nightsweep", Files.readString(Path.of("../nightsweep")));
    Path archive = checkout.resolve("archive.tar.gz");
    String said = run(checkout.resolve("jdk"), checkout, "bundle", archive.toString());
    assertThat(said)
        .contains("the kernels are not built, and are not packed", "unpack it anywhere");

    Path anywhere = Files.createDirectories(checkout.resolve("any where"));
    Process tar =
        new ProcessBuilder(
                "bash", "-c", "tar -tvzf '" + archive + "' && tar -xzf '" + archive + "'")
            .directory(anywhere.toFile())
            .start();
    String listed = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).isZero();
    assertThat(listed.lines()).allMatch(line -> line.matches("[-dl]rw[-x]r-[-x]r-[-x] 0/0 .*"));
    Path unpacked = anywhere.resolve("nightsweep");
    assertThat(unpacked.toFile().list())
        .containsExactlyInAnyOrder(
            "nightsweep",
            "README.md",
            "LICENSE",
            "daemon",
            "flags",
            "native",
            "playbooks",
            "release",
            "runtime",
            "templates");
    assertThat(unpacked.resolve("daemon").toFile().list()).containsExactlyInAnyOrder("docs", "lab");
    assertThat(run(Path.of("/nowhere"), unpacked, "status"))
        .contains("started with status")
        .doesNotContain("building");
    assertThat(builds()).isEqualTo(1);
  }

  /**
   * The packed kernels use their own libraries if the machine lacks some, and their own C library
   * if the machine's is older: Rocky's, seen from Debian's. The parts of the C library are kept
   * separate, since it works only with its own loader.
   */
  @Test
  void packedKernelsRunWhereTheMachinesLibrariesAreMissingOrOlder() throws Exception {
    Path kernels = packedKernels();
    String own = kernels.resolve("lib").toString();
    ldd("every library is there");
    assertThat(measured(kernels)).isEqualTo("measured --cases 1 with none");
    ldd("libmpi.so.40 => not found", "every library is there");
    assertThat(measured(kernels)).isEqualTo("measured --cases 1 with " + own);
    ldd("libc.so.6: version GLIBC_2.34 not found");
    assertThat(measured(kernels))
        .isEqualTo(
            "loaded by --library-path %s:%s %s --cases 1"
                .formatted(
                    kernels.resolve("libc"), own, kernels.resolve("bin/nightsweep-kernels")));
  }

  /** The kernels' part of an archive, made of stand-ins. */
  private Path packedKernels() throws Exception {
    program(
        "native/build/nightsweep-kernels",
        "#!/bin/sh\necho \"measured $* with ${LD_LIBRARY_PATH:-none}\"\n");
    write("native/build/mpi/mca_one.so", "a component");
    write("machine/libmpi.so.40", "a library");
    write("machine/libc.so.6", "the C library");
    program("machine/ld-linux-x86-64.so.2", "#!/bin/sh\necho \"loaded by $*\"\n");
    program(
        "bin/ompi_info", "#!/bin/sh\necho 'path:pkglibdir:" + checkout + "/native/build/mpi'\n");
    ldd(
        "libmpi.so.40 => %1$s/machine/libmpi.so.40 (0x1)\nlibc.so.6 => %1$s/machine/libc.so.6 (0x2)\n%1$s/machine/ld-linux-x86-64.so.2 (0x3)"
            .formatted(checkout));
    String script = Files.readString(Path.of("lab/bundle"));
    String packs =
        script.substring(script.indexOf("pack_kernels() {"), script.indexOf("\nusage() {"));
    Path bundle = Files.createDirectories(checkout.resolve("unpacked here"));
    String said =
        bash(
            "set -euo pipefail; say() { :; }; root='%s' bundle='%s'\n%s\npack_kernels"
                .formatted(checkout, bundle, packs));
    assertThat(said).isEmpty();
    Path kernels = bundle.resolve("native/build");
    assertThat(kernels.resolve("lib").toFile().list())
        .containsExactlyInAnyOrder("libmpi.so.40", "openmpi");
    assertThat(kernels.resolve("libc").toFile().list())
        .containsExactlyInAnyOrder("libc.so.6", "ld-linux-x86-64.so.2");
    return kernels;
  }

  /** A stand-in that gives these answers in turn, and repeats the last. */
  private void ldd(String... answers) throws IOException {
    Files.deleteIfExists(checkout.resolve("asked"));
    program(
        "bin/ldd",
        """
        #!/bin/bash
        echo asked >>'%1$s/asked'
        answers=('%2$s')
        n=$(wc -l <'%1$s/asked')
        echo "${answers[n <= ${#answers[@]} ? n - 1 : ${#answers[@]} - 1]}"
        """
            .formatted(checkout, String.join("' '", answers)));
  }

  private String measured(Path kernels) throws Exception {
    return bash("'" + kernels.resolve("nightsweep-kernels") + "' --cases 1").strip();
  }

  /** A core dump would contain the environment, and with it the tokens. */
  @Test
  @Tag("guard")
  void whatItStartsLeavesNoCoreDump() throws Exception {
    assertThat(launch()).containsPattern("Max core file size +0 +0 ");
  }

  @Test
  void aFileWithLettersThatTheLocaleDoesNotHaveIsFound() throws Exception {
    Path file = write("über.yaml", "");
    assertThat(bash("LC_ALL=C bash '" + checkout + "/nightsweep' status '" + file + "'"))
        .contains("a file\n", "ANSI_X3.4-1968 in C.UTF-8\n");
    assertThat(bash("cd / && LC_ALL=C bash '" + checkout + "/nightsweep' status"))
        .as("where none is named, the locale that jobs inherit stays")
        .contains("ANSI_X3.4-1968 in C\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NIGHTSWEEP_STATE=/ä %s sweeps", "%s sweeps --state /ä", "%s triage /ä"})
  void whereThereIsNoOtherLocaleItIsSaid(String command) throws Exception {
    assertThat(bash("LC_ALL=C " + command.formatted(MainProcess.shell(List.of())) + " || true"))
        .contains("this locale has no such letters", "export LC_ALL=C.UTF-8")
        .doesNotContain("java.nio");
  }

  /** As on a full disk; a reader that has enough, such as head, is no failure. */
  @Test
  void outputThatIsLostIsAFailure() throws Exception {
    String help = MainProcess.shell(List.of("help"));
    assertThat(bash(help + " >/dev/full && echo done || echo failed"))
        .contains("error: the output is incomplete: No space left on device", "failed");
    assertThat(bash("set -o pipefail; " + help + " | true && echo done || echo failed"))
        .contains("done")
        .doesNotContain("incomplete");
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

  private void program(String name, String text) throws IOException {
    Files.setPosixFilePermissions(write(name, text), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String launch() throws Exception {
    return run(Path.of(System.getProperty("java.home")), checkout, "status");
  }

  private String run(Path java, Path installation, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", installation.resolve("nightsweep").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder launcher = new ProcessBuilder(command).redirectErrorStream(true);
    launcher.environment().put("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"));
    launcher.environment().put("JAVA_HOME", java.toString());
    Process process = launcher.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private String bash(String script) throws Exception {
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
    bash.environment().put("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"));
    bash.environment().remove("LD_LIBRARY_PATH");
    Process process = bash.start();
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
