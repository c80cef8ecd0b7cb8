package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.StepTeller;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Fact;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The source of a job's code: a copy of the launcher's checkout, with its history. */
@Tag("xla")
class LauncherCopyTest extends LauncherCheckout {
  @Test
  void theCopyHasTheHistoryOfTheCheckoutAndTheCheckoutKeepsItsOwn() throws Exception {
    String commit = commit(checkout);
    write("train_env.sh", "export A=1\n");
    write("configs/tiny.gpu.yml", "per_device_batch_size: 1\nici_fsdp_parallelism: -1\n# mine\n");
    Map<String, String> before = contents(checkout.resolve(".git"));

    assertThat(workload.inventory(request(Map.of()).spec()))
        .contains(
            new Fact("launcher commit", commit, true),
            new Fact("launcher files changed since", "configs/tiny.gpu.yml, train_env.sh", true));
    Path copy = folder.resolve("copy");
    PrivateCheckout.copy(checkout, checkout.resolve("outputs"), copy);
    // The query of the launcher's own summary.
    assertThat(in(copy, "log", "-1", "--format=%H %s")).isEqualTo(commit + " The launcher\n");
    assertThat(in(copy, "status", "--porcelain"))
        .isEqualTo(" M configs/tiny.gpu.yml\n?? train_env.sh\n");
    assertThat(contents(checkout.resolve(".git"))).isEqualTo(before);
  }

  @Test
  void whatNightsweepChangesInTheCopyStandsInNoLog() throws Exception {
    write("_job.sbatch", "#!/bin/bash\necho 'FATAL: Could not find a free port for Ray'\n");
    write("configs/tiny.env.sh", "export B=1\n");
    commit(checkout);
    write("configs/other.gpu.yml", "# mine\n");
    workload.launch(request(Map.of()));
    try (var copies =
        Files.find(folder, 4, (f, a) -> f.getFileName().toString().startsWith("checkout-"))) {
      Path copy = copies.findFirst().orElseThrow();
      assertThat(Files.readString(copy.resolve("_job.sbatch"))).contains("_job.nightsweep.sbatch");
      assertThat(in(copy, "diff")).isEmpty();
      assertThat(in(copy, "status", "--porcelain"))
          .isEqualTo(
              "?? _job.nightsweep.sbatch\n?? configs/other.gpu.yml\n?? configs/tiny.deployed.env.sh\n"
                  + "?? configs/tiny.deployed.gpu.yml\n");
    }
    TrainingLog told = new TrainingLog(Set.of(), StepTeller.NOBODY);
    TrainingLogTest.accept(
        told,
        -1,
        """
        +    printf 'nightsweep: provenance image=%s of %s bytes\\n'
        1: \u001b[36m(MaxTextTrainerActor pid=7)\u001b[0m nightsweep: provenance jax=0.8.2
        nightsweep: provenance image=an.image:1
        """);
    assertThat(told.provenance()).isEqualTo(Map.of("image", "an.image:1", "jax", "0.8.2"));
  }

  @Test
  void anEditInTheNightChangesNoJobOfTheSweepAndIsTold() throws Exception {
    write("configs/tiny.env.sh", "export B=1\n");
    String commit = commit(checkout);
    Workload.LaunchRequest request = request(Map.of());
    workload.launch(request);
    assertThat(workload.changedSince(request)).isEmpty();

    write("configs/tiny.env.sh", "export B=2\n");
    write("train_env.sh", "export C=2\n");
    Files.delete(checkout.resolve("_job.sbatch"));
    write("outputs/7-JAX/log", "what the launcher writes is no change\n");
    git("add", "-A");
    git("-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qm", "A pull in the night");
    Path copy = copyOf(workload.launch(request));
    assertThat(Phrases.EN.text(workload.changedSince(request).orElseThrow()))
        .startsWith(
            "The launcher's checkout was changed in _job.sbatch, configs/tiny.env.sh, train_env.sh after");
    assertThat(Files.readString(copy.resolve("configs/tiny.deployed.env.sh")))
        .isEqualTo("export B=1\n");
    assertThat(copy.resolve("train_env.sh")).doesNotExist();
    assertThat(in(copy, "log", "-1", "--format=%H")).isEqualTo(commit + "\n");
    assertThat(RunFile.read(request.outputDirectory()).launcherCommit()).contains(commit);
  }

  @Test
  void aCheckoutWithoutHistoryIsCopiedAsTheRootOfOne() throws Exception {
    Path copy = folder.resolve("copy");
    PrivateCheckout.copy(checkout, checkout.resolve("outputs"), copy);
    assertThat(copy.resolve(".git")).isEmptyDirectory();
    assertThat(workload.inventory(request(Map.of()).spec()))
        .noneMatch(fact -> fact.name().startsWith("launcher"));
  }

  @Test
  void aLinkToACheckoutIsTheCheckoutWhichIsNeverWrittenTo() throws Exception {
    Path shared = Files.move(checkout.resolve("configs"), folder.resolve("shared"));
    Files.createSymbolicLink(checkout.resolve("configs"), shared);
    String commit = commit(checkout);
    Path history = Files.move(checkout.resolve(".git"), folder.resolve("history"));
    Files.createSymbolicLink(checkout.resolve(".git"), history);
    Map<String, String> before = contents(history);
    Path link = Files.createSymbolicLink(folder.resolve("link"), checkout);
    Workload.LaunchRequest request = request(Map.of("repository", link.toString()));

    Path copy = copyOf(workload.launch(request));
    assertThat(in(copy, "rev-parse", "HEAD").strip()).isEqualTo(commit);
    assertThat(copy.resolve("configs/tiny.env.sh")).exists();
    assertThat(RunFile.read(request.outputDirectory()).launcherCommit()).contains(commit);
    assertThat(contents(history)).isEqualTo(before);
    assertThat(shared).isDirectoryNotContaining(file -> !file.endsWith("tiny.gpu.yml"));

    write("configs/tiny.gpu.yml", "per_device_batch_size: 2\n");
    assertThat(Phrases.EN.text(workload.changedSince(request).orElseThrow()))
        .startsWith("The launcher's checkout was changed in configs/tiny.gpu.yml after");
  }

  @Test
  void aWorktreeASubmoduleAndAGitFolderElsewhereHaveTheirHistory() throws Exception {
    String commit = commit(checkout);
    Path worktree = folder.resolve("worktree");
    git("worktree", "add", "-q", worktree.toString());
    Path separate = folder.resolve("separate");
    Path elsewhere = folder.resolve("elsewhere.git");
    in(folder, "clone", "-q", "--separate-git-dir=" + elsewhere, "" + checkout, "" + separate);
    Path outer = Files.createDirectories(folder.resolve("outer"));
    in(outer, "init", "-q");
    in(outer, "-c", "protocol.file.allow=always", "submodule", "-q", "add", "" + checkout, "sub");
    for (Path each : List.of(worktree, separate, outer.resolve("sub"))) {
      Files.writeString(each.resolve("mine"), "");
      Path copy = folder.resolve("copy of " + each.getFileName());
      PrivateCheckout.copy(each, each.resolve("outputs"), copy);
      assertThat(in(copy, "rev-parse", "HEAD").strip()).isEqualTo(commit);
      assertThat(in(copy, "status", "--porcelain")).isEqualTo("?? mine\n");
    }
    assertThat(workload.launch(request(Map.of("repository", outer + "/sub")))).isNotNull();
  }

  @Test
  void theCommitIsNeverThatOfARepositoryThatEnclosesTheSweepOrTheLauncher() throws Exception {
    Files.writeString(folder.resolve(".gitignore"), "*\n");
    in(folder, "init", "-q");
    in(folder, "add", "-f", ".gitignore");
    in(folder, "-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qm", "Dotfiles");
    Workload.LaunchRequest unpacked = request(Map.of());
    Path copy = copyOf(workload.launch(unpacked));
    assertThat(copy.resolve(".git")).isEmptyDirectory();
    assertThat(RunFile.read(unpacked.outputDirectory()).launcherCommit()).isEmpty();
    assertThat(workload.inventory(unpacked.spec()))
        .noneMatch(fact -> fact.name().startsWith("launcher"));

    Path mono = Files.createDirectories(folder.resolve("mono"));
    Files.move(checkout, mono.resolve("tools"));
    String commit = commit(mono);
    FrozenCheckout frozen =
        new FrozenCheckout(
            mono.resolve("tools"),
            folder,
            Files.createDirectories(folder.resolve("night")),
            file -> false);
    frozen.make();
    assertThat(frozen.commit()).contains(commit);
    assertThat(frozen.copy().resolve(".git/HEAD")).doesNotExist();
  }

  /** Files that sweeps put there are not edits; other people's changes beside them are. */
  @Test
  @Tag("shipped")
  void aReportThatIsPutIntoTheCheckoutIsNoChangeOfIt() throws Exception {
    Workload.LaunchRequest asked = request(Map.of("deliverReport", "true"));
    workload.launch(asked);
    for (String file :
        List.of("tiny-tuning.md", "tiny-tuning.env.sh", "tiny-charts/PP=2,default/steps.png")) {
      write(file, "delivered\n");
    }
    assertThat(workload.changedSince(asked)).isEmpty();
    assertThat(workload.changedSince(request(Map.of()))).as("not asked for").isPresent();
    write("train_env.sh", "export C=2\n");
    assertThat(Phrases.EN.text(workload.changedSince(asked).orElseThrow()))
        .startsWith("The launcher's checkout was changed in train_env.sh after");
  }

  @Test
  void theLaunchersOwnSummaryIsOfNoEnclosingRepository() throws Exception {
    write("submit.sh", "#!/bin/bash\ncd \"${0%/*}\"\ngit rev-parse HEAD\n");
    assertThat(checkout.resolve("submit.sh").toFile().setExecutable(true)).isTrue();
    Path home = Files.createDirectories(folder.resolve("jobs"));
    Files.writeString(home.resolve("submit.sh"), "");
    commit(home);
    Workload.Launch.Launcher launcher =
        (Workload.Launch.Launcher) workload.launch(request(Map.of()));
    assertThat(
            MaxTextLab.run(
                List.of(
                    "bash",
                    "-c",
                    "launch() {\n" + launcher.script() + "\n}\nlaunch 2>&1 || echo none")))
        .contains("not a git repository")
        .endsWith("none\n");
  }

  @Test
  void aSplitIndexIsCopiedWholeAndOddNamesAreToldAsTheyAre() throws Exception {
    commit(checkout);
    git("update-index", "--split-index");
    write("a b \u00e4.yml", "mine");
    Path copy = folder.resolve("copy");
    PrivateCheckout.copy(checkout, checkout.resolve("outputs"), copy);
    assertThat(in(copy, "-c", "core.quotePath=false", "status", "--porcelain"))
        .isEqualTo("?? \"a b \u00e4.yml\"\n");
    assertThat(new LauncherGit(checkout).changed()).containsExactly("a b \u00e4.yml");
  }

  @Test
  void aLinkIsNoChangeAndTheJobsOutputsAreNotCopied() throws Exception {
    Files.createSymbolicLink(checkout.resolve("link"), Path.of("submit.sh"));
    write("runs/7-JAX.log", "");
    Workload.LaunchRequest request = request(Map.of("outputs", checkout + "/runs"));
    Path copy = copyOf(workload.launch(request));
    assertThat(copy.resolve("link")).isSymbolicLink();
    assertThat(copy.resolve("runs")).doesNotExist();
    assertThat(workload.changedSince(request)).isEmpty();
  }

  @Test
  void aNameThatIsNoTextOfTheLocaleIsCopied() throws Exception {
    MaxTextLab.run(List.of("bash", "-c", "echo x > '" + checkout + "'/configs/$'l\\xe4t1.yml'"));
    Workload.LaunchRequest request = request(Map.of());
    Path copy = copyOf(workload.launch(request));
    assertThat(MaxTextLab.run(List.of("bash", "-c", "cat '" + copy + "'/configs/$'l\\xe4t1.yml'")))
        .isEqualTo("x\n");
    assertThat(workload.changedSince(request)).isEmpty();
  }

  private static String commit(Path repository) {
    in(repository, "init", "-q");
    in(repository, "add", "-A");
    in(repository, "-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qm", "The launcher");
    return in(repository, "rev-parse", "HEAD").strip();
  }

  /** The attempt's own copy, which its last line removes. */
  private static Path copyOf(Workload.Launch launch) {
    String script = ((Workload.Launch.Launcher) launch).script();
    return Path.of(script.lines().reduce((a, b) -> b).orElseThrow().substring(7).replace("'", ""));
  }

  private static Map<String, String> contents(Path root) throws IOException {
    TreeMap<String, String> all = new TreeMap<>();
    for (Path file : MaxTextLab.files(root)) {
      all.put(root.relativize(file).toString(), MaxTextLab.run(List.of("md5sum", "" + file)));
    }
    return all;
  }
}
