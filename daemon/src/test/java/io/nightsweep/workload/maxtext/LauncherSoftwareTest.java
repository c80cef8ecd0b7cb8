package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is known about a job's software: its image, and what the job itself reports. */
@Tag("xla")
@Tag("slow")
class LauncherSoftwareTest extends LauncherCheckout {
  @Test
  void thePlatformsNameIsNoVersionOfXla() {
    ProvenanceLines lines = new ProvenanceLines();
    for (String said : List.of("XLA=cpu", "jax=0.9.1")) {
      String text = "0: nightsweep: provenance " + said;
      lines.accept(Line.of(Path.of("log"), Rank.NONE, 1, 1, 1, text));
    }
    assertThat(lines.byName()).containsOnlyKeys("jax");
  }

  /** Bash is not evaluated by guess: this image is neither reported nor refused. */
  @Test
  void anImageThatIsMadeOfOtherVariablesIsLeftToTheLauncher() throws Exception {
    for (String value :
        List.of(
            "\"${DOCKER_IMAGE:-${DOCKER_REGISTRY}/jax:26.1}\"",
            "\"$REGISTRY/jax:26.1\"",
            "$(cat image.txt)",
            "`cat image.txt`",
            "a/b:1\nif false; then\n  DOCKER_IMAGE=c/d:2\nfi",
            "a/b:1\nif false; then DOCKER_IMAGE=c/d:2; fi",
            "a/b:1\n[[ $(uname) == Linux ]] || DOCKER_IMAGE=c/d:2")) {
      write("container_env.sh", "DOCKER_IMAGE=" + value + "\n");
      SweepSpec spec = request(Map.of()).spec();
      assertThat(workload.preflight(spec))
          .as(value)
          .noneMatch(p -> Phrases.EN.text(p.found()).contains("image"));
      assertThat(workload.inventory(spec)).noneMatch(fact -> fact.name().equals("image"));
    }
    Map<String, String> launchers = Map.of("launcher.DOCKER_IMAGE", "my/image:1");
    assertThat(workload.inventory(request(launchers).spec()))
        .contains(new Fact("image", "my/image:1", true));
    write("container_env.sh", "DOCKER_IMAGE=/images/jax.sif\n");
    assertThat(workload.preflight(request(Map.of()).spec()))
        .anyMatch(
            p -> Phrases.EN.text(p.found()).startsWith("the image /images/jax.sif is a path"));
  }

  @Test
  void aJobTellsItsSoftwareAndTheDigestOfItsImage() throws Exception {
    installed("src/maxtext", "steps: 1\n", "print(user_str)");
    Path job = folder.resolve("job");
    in(job, "init", "-q");
    in(job, "-c", "user.name=n", "-c", "user.email=n@x", "commit", "--allow-empty", "-qm", "M");
    String commit = in(job, "rev-parse", "HEAD").strip();
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path docker = bin.resolve("docker");
    Files.writeString(
        docker, "#!/bin/bash\n[[ ${*: -1} == rocm/* ]] && echo sha256:0123456789abcdef\n");
    assertThat(docker.toFile().setExecutable(true)).isTrue();
    Path smi = bin.resolve("nvidia-smi");
    Files.writeString(
        smi, "#!/bin/bash\nprintf '96.00.89.00.01\\n%.0s' {1..8}\necho 'a warning'\n");
    assertThat(smi.toFile().setExecutable(true)).isTrue();
    for (String[] plugin :
        List.of(
            new String[] {"jax-rocm7-plugin", "0.8.2"},
            new String[] {"jax-cuda12-pjrt", "0.8.1"},
            new String[] {"maxtext", "0.2.3"},
            new String[] {"jaxopt", "0.8"})) {
      Path info = folder.resolve("site/" + plugin[0].replace('-', '_') + "-1.dist-info");
      Files.createDirectories(info);
      Files.writeString(
          info.resolve("METADATA"),
          "Metadata-Version: 2.1\nName: " + plugin[0] + "\nVersion: " + plugin[1] + "\n");
    }
    // As in a launcher's checkout with the older layout.
    Files.createDirectory(checkout.resolve("scripts"));
    Files.move(checkout.resolve("container_env.sh"), checkout.resolve("scripts/container_env.sh"));
    assertThat(workload.inventory(request(Map.of()).spec()))
        .contains(new Fact("image", "rocm/jax-training:maxtext-v26.2", true));
    String said =
        bash(
            "export PYTHONPATH="
                + folder.resolve("site")
                + " PATH="
                + bin
                + ":$PATH\n"
                + InstalledMaxText.script(new TreeMap<>(), "")
                + "export MAXTEXT_SLURM_DIR="
                + checkout
                + "\n"
                + InstalledMaxText.imageScript());
    Path log = Files.writeString(folder.resolve("x.log"), said);
    Workload.WorkloadReading reading = workload.read(request(Map.of()), new JobLog(log));
    assertThat(reading.provenance())
        .containsEntry("MaxText commit", commit)
        .containsEntry("jax-rocm7-plugin", "0.8.2")
        .containsEntry("jax-cuda12-pjrt", "0.8.1")
        .containsEntry("maxtext", "0.2.3")
        .doesNotContainKey("jaxopt")
        .containsEntry("firmware of the GPUs", "96.00.89.00.01")
        .containsEntry("image digest", "sha256:0123456789abcdef");
  }

  @Test
  void aMaxTextThatWasChangedIsNotItsCommitsAlone() throws Exception {
    installed("src/maxtext", "steps: 1\n", "print(user_str)");
    Path job = folder.resolve("job");
    in(job, "init", "-q");
    in(job, "add", "-A");
    in(job, "-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qm", "M");
    String told =
        InstalledMaxText.PROVENANCE + "MaxText commit=" + in(job, "rev-parse", "HEAD").strip();
    Files.writeString(job.resolve("src/maxtext/left.by.a.run"), "");
    Files.writeString(job.resolve("README.md"), "another part of the repository");
    assertThat(job.resolve("src/maxtext/configs/base.yml").toFile().setExecutable(true)).isTrue();
    assertThat(changes()).isEmpty();
    assertThat(bash(InstalledMaxText.script(new TreeMap<>(), ""))).contains(told + "\n");
    Files.writeString(job.resolve("src/maxtext/configs/base.yml"), "steps: 2\n");
    String first = changes();
    assertThat(first).matches("[0-9a-f]{40}");
    assertThat(changes()).isEqualTo(first);
    assertThat(bash(InstalledMaxText.script(new TreeMap<>(), ""))).contains(told + "\n");
    Files.writeString(job.resolve("src/maxtext/configs/base.yml"), "steps: 3\n");
    assertThat(changes()).as("of two patches").isNotEqualTo(first);
  }

  private String changes() throws Exception {
    Path log = folder.resolve("changes.log");
    Files.writeString(log, bash(InstalledMaxText.script(new TreeMap<>(), "")));
    return workload
        .read(request(Map.of()), new JobLog(log))
        .provenance()
        .getOrDefault("MaxText changes since", "");
  }

  /**
   * The inventory uses "image" for the tarball's path, so a job's report of it has another name.
   */
  @Test
  void aTarballIsToldUnderANameThatTheInventoryDoesNotUse() throws Exception {
    Path tarball = Files.writeString(folder.resolve("x.tar"), "12");
    String said = bash("export DOCKER_IMAGE=" + tarball + "\n" + InstalledMaxText.imageScript());
    Path log = Files.writeString(folder.resolve("x.log"), said);
    Workload.WorkloadReading reading = workload.read(request(Map.of()), new JobLog(log));
    assertThat(reading.provenance()).containsOnlyKeys("image file");
    assertThat(reading.provenance().get("image file"))
        .startsWith(tarball + " of 2 bytes, written ");
  }
}
