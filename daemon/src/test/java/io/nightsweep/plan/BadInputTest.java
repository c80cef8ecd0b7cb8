package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every bad input gives one clear problem with its exact place, and nothing is started. */
@Tag("sweep")
@Tag("slow")
class BadInputTest {
  private static final String GOOD =
      """
      model: allreduce
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload:
        kind: kernels
        kernel: allreduce
      profiles:
        ring: {env: {A: 4}}
        tree: {env: {A: 6}}
      budget: {jobs: 60}
      """;

  @TempDir private Path folder;

  @BeforeEach
  void theFileIsGoodBeforeItIsSpoilt() throws Exception {
    assertThat(load(GOOD).missing()).isEmpty();
    load(GOOD).resolve(FakeCluster.fourNodes(), Prompter.nobody(), SweepText.EVENING);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      workload:             | worklaod:                   | 4:1: unknown key 'worklaod'; expected one of model, parallelism, slot, transport, workload, metric, configTags, plan, catalogs, profiles, budget, policy, playbook; did you mean 'workload'?
        kind: kernels       | '  kind: kernals'           | 5:9: unknown kind 'kernals'; expected one of kernels, maxtext, command; did you mean 'kernels'?
        kernel: allreduce   | '  kernel: alreduce'        | 6:11: unknown kernel 'alreduce'; expected one of
        kernel: allreduce   | '  kernels: allreduce'      | 4:1: 'kernel' is missing in 'workload'; expected one of
        kind: kernels       | '  knd: kernels'            | 4:1: 'kind' is missing in 'workload'; expected a kind of workload such as 'kernels'
      budget: {jobs: 60}    | budget: {job: 60}           | 10:10: unknown key 'job'; expected one of jobs, hours, until, nodeHours; did you mean 'jobs'?
      budget: {jobs: 60}    | budget: {jobs: many}        | 10:16: 'jobs' is 'many'; expected how many jobs, at least 1
      budget: {jobs: 60}    | budget: {jobs: 0}           | 10:16: 'jobs' is '0'; expected how many jobs, at least 1
      budget: {jobs: 60}    | budget: {jobs: 2}           | 10:16: a budget of 2 jobs cannot hold the baseline; expected at least 3 jobs, or a smaller policy.baselineRuns
      budget: {jobs: 60}    | budget: {jobs: 1}           | 10:16: a budget of 1 job cannot hold the baseline; expected at least 3 jobs, or a smaller policy.baselineRuns
      budget: {jobs: 60}    | budget: {hours: 0.001}      | 10:17: a budget of 0.001 hours cannot hold the baseline; a job may take 45m (policy.jobTimeLimit)
      budget: {jobs: 60}    | budget: {nodeHours: 1}      | 10:21: a budget of 1 node-hours cannot hold the baseline; a job may take 45m (policy.jobTimeLimit) of 2 nodes: at least 1.50 node-hours
      budget: {jobs: 60}    | budget: {until: 19:20}      | 10:17: a budget of 20m cannot hold the baseline; a job may take 45m (policy.jobTimeLimit)
      budget: {jobs: 60}    | budget: {until: 7h}         | 10:17: 'until' is '7h'; expected a local time such as "07:30"
      budget: {jobs: 60}    | budget: {until: "24:00"}    | 10:17: 'until' is '24:00'; expected a local time such as "07:30"
      budget: {jobs: 60}    | budget:                     | 10:1: 'budget' is nothing; expected limits: 'jobs', 'hours', 'until'
      budget: {jobs: 60}    | budget: [60]                | 10:9: 'budget' is a list; expected limits: 'jobs', 'hours', 'until'
      budget: {jobs: 60}    | 'model: again'              | 10:1: duplicate key 'model'; it is already on line 1
      budget: {jobs: 60}    | 'plan: kernel'              | 10:7: unknown plan 'kernel'; expected one of kernels, xla-tuning; did you mean 'kernels'?
      budget: {jobs: 60}    | 'catalogs: [opnempi]'       | 10:12: unknown flag catalog 'opnempi'; expected one of jax-memory, maxtext-pipeline, openblas, openmpi, rccl, xla; did you mean 'openmpi'?
      budget: {jobs: 60}    | 'playbook: kernel'          | 10:11: unknown playbook 'kernel'; expected one of any, common, kernels, maxtext-cuda, maxtext-rocm; did you mean 'kernels'?
      budget: {jobs: 60}    | 'configTags: {}'            | 10:13: 'configTags' is a mapping; expected config tags, each with its workload settings
      budget: {jobs: 60}    | 'configTags: [a]'           | 10:13: 'configTags' is a list; expected config tags, each with its workload settings
      budget: {jobs: 60}    | 'policy: {targetGain: 5}'   | 10:22: 'targetGain' is '5'; expected a fraction such as 0.05, or a percentage such as 5% or 150%
      budget: {jobs: 60}    | 'policy: {targetgain: 5%}'  | 10:10: unknown key 'targetgain'; expected one of familyWiseError, targetGain, worthwhileGain, hopelessGain, hopelessProfiles, equivalenceMargin, regressionLimit, blockSize, baselineRuns, confirmRuns, maxRunsPerProfile, jobsInFlight, jobTimeLimit, finishRunningOnHalt, expectedNoise, answerWithin, nodeGate, nodeOutlier, expectedJob, plausibleGain, whenBlind; did you mean 'targetGain'?
      budget: {jobs: 60}    | 'policy: {confirmRuns: 2}'  | 10:23: 'confirmRuns' is '2'; expected how many fresh runs, at least 3
      budget: {jobs: 60}    | 'policy: {jobTimeLimit: 45}' | 10:24: 'jobTimeLimit' is '45'; expected a duration of at least 1s, such as 90s, 45m or 1h30m
      budget: {jobs: 60}    | 'metric: {name: x, better: upper}' | 10:27: unknown better 'upper'; expected one of higher, lower
        tree: {env: {A: 6}} | '  ring: {env: {A: 6}}'     | 9:3: duplicate key 'ring'; it is already on line 8
        tree: {env: {A: 6}} | '  tree: {env: {A: "4"}}'   | 9:3: the profile 'tree' is the same as 'ring'; expected each profile to set something else
        tree: {env: {A: 6}} | '  tree: {evn: {A: 6}}'     | 9:10: unknown key 'evn'; expected one of flags, env, overrides, base; did you mean 'env'?
        tree: {env: {A: 6}} | '  tree: {env: {A-B: 6}}'   | 9:16: the name 'A-B' is not allowed here; expected a variable's name
        tree: {env: {A: 6}} | '  tree: {env: {A: [6]}}'   | 9:19: 'A' is a list; expected a text, a number, true or false
        tree: {env: {A: 6}} | '  tree: {env: {A: }}'      | 9:16: 'A' is nothing; expected a text, a number, true or false
        tree: {env: {A: 6}} | '  tree: {env: {A=6}}'      | 9:16: 'A=6' has no value; YAML writes 'A: 6'; expected a text, a number, true or false
        tree: {env: {A: 6}} | '  tree: {flags: {xla_a: 6}}' | 9:18: the name 'xla_a' is not allowed here; expected an XLA flag such as '--xla_gpu_...'
        tree: {env: {A: 6}} | '  baseline-deployed: {env: {A: 6}}' | 9:3: the name 'baseline-deployed' is the sweep's own; expected another name
        tree: {env: {A: 6}} | '  a+b: {env: {A: 6}}'      | 9:3: the name 'a+b' is not allowed here; expected a name of at most 60 letters, digits, '.', '_' and '-'
      parallelism: ranks=2  | 'parallelism: FDSP=8'       | 2:14: unknown axis 'FDSP'; expected one of FSDP, PP, TP, DP, EP, CP, ranks; did you mean 'FSDP'?
      parallelism: ranks=2  | 'parallelism: PP=4,FSDP'    | 2:19: 'FSDP' is not an axis of a parallelism; expected axes such as 'FSDP=8' or 'PP=4,FSDP=2'
      parallelism: ranks=2  | 'parallelism: "PP=4,PP=2"'  | 2:20: the axis PP stands twice; expected each axis once
      parallelism: ranks=2  | 'parallelism: PP=0'         | 2:14: 'PP=0' is not an axis of a parallelism; expected axes such as 'FSDP=8' or 'PP=4,FSDP=2'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: "n[1-2"}  | 3:20: the nodelist 'n[1-2' does not parse: '[' is never closed; expected a nodelist such as 'n[1-3,5]'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: n2-1]}    | 3:22: `]}` stands within the '{' of line 3, column 7; expected ',' before it, or '}'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: "n[3-1]"} | 3:21: the nodelist 'n[3-1]' does not parse: the range 3-1 runs backwards; expected a nodelist such as 'n[1-3,5]'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: "n1,,n2"} | 3:22: the nodelist 'n1,,n2' does not parse: a node name is missing; expected a nodelist such as 'n[1-3,5]'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: ""}       | 3:19: the nodelist '' does not parse: the nodelist is empty; expected a nodelist such as 'n[1-3,5]'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: []}       | 3:18: the nodelist is empty; expected a nodelist such as 'n[1-2]'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: "n1,n1"}  | 3:18: the node 'n1' stands twice; expected each node once
      slot: {nodelist: "n[1-2]"} | slot: {nodes: 0}           | 3:15: 'nodes' is '0'; expected how many nodes, at least 1
      slot: {nodelist: "n[1-2]"} | slot: {partition: batch}   | 3:1: the slot names no nodes; expected 'nodelist', or 'nodes' and a 'partition'
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: n1, nodes: 1} | 3:22: both 'nodelist' and 'nodes'; expected one of the two
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: "n[1-5]"} | 3:18: unknown node 'n5'; expected one of n1, n2, n3, n4; did you mean 'n1'?
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: "n1", partition: btach} | 3:35: unknown partition 'btach'; expected one of batch, gpu; did you mean 'batch'?
      slot: {nodelist: "n[1-2]"} | slot: {nodelist: "n4", partition: batch} | 3:18: the node 'n4' is not in the partition batch; it is in gpu
      slot: {nodelist: "n[1-2]"} | slot: {nodes: 3}           | 3:15: only 2 of 3 nodes are idle; 3 are asked for; wait for them, ask for fewer, or name a nodelist
      slot: {nodelist: "n[1-2]"} | slot: {nodes: 3, partition: gpu} | 3:15: only 2 of 2 nodes are idle in the partition gpu; 3 are asked for; wait for them, ask for fewer, or name a nodelist
      budget: {jobs: 60}    | 'transport: {shh: login1}'  | 10:13: unknown key 'shh'; expected one of ssh, hostCmd; did you mean 'ssh'?
      budget: {jobs: 60}    | 'transport: {ssh: -oProxyCommand=x}' | 10:18: 'ssh' is '-oProxyCommand=x'; expected a host, such as login1 or me@login1
      budget: {jobs: 60}    | 'transport: {hostCmd: host_cmd.py}' | 10:22: 'hostCmd' is 'host_cmd.py'; expected the path of host_cmd.py
      budget: {jobs: 60}    | 'transport: {ssh: a, hostCmd: /b}' | 10:12: 'transport' is a mapping; expected one of 'ssh', 'hostCmd'
      budget: {jobs: 60}    | '"'                         | 10:1: a quote that nothing closes; expected the closing quote at the end of the text
      """)
  void oneProblemAtItsPlace(String line, String spoilt, String expected) {
    String text = GOOD.replace(line.strip(), spoilt.strip());
    assertThat(text).isNotEqualTo(GOOD);
    List<String> problems = problems(text);
    assertThat(problems).anySatisfy(p -> assertThat(p).startsWith("sweep.yaml:" + expected));
    assertThat(problems.getFirst()).startsWith("sweep.yaml:");
  }

  /** The effect of such a key is unknown, so the profile may still set something. */
  @Test
  void aProfileWithAnUnknownKeyIsNotCalledTheSameAsTheBaseline() {
    String text = GOOD.replaceFirst("env: ?\\{", "environment: {");
    assertThat(text).isNotEqualTo(GOOD);
    assertThat(problems(text))
        .anySatisfy(p -> assertThat(p).contains("unknown key 'environment'"))
        .noneSatisfy(p -> assertThat(p).contains("is the same as"));
  }

  @Test
  void allProblemsAreToldAtOnceInTheirOrder() {
    assertThat(
            problems(
                """
                modle: a
                slot: {nodelist: "n[1"}
                workload: {kind: kernels, kernel: allreduce}
                plan: kernals
                catalogs: [openmp]
                budget: {jobs: -1, hours: x}
                profiles: {a: {env: {X: 1}}, b: {env: {X: 1}}}
                """))
        .extracting(p -> p.substring(0, p.indexOf(' ')))
        .containsExactly(
            "sweep.yaml:1:1:",
            "sweep.yaml:2:20:",
            "sweep.yaml:4:7:",
            "sweep.yaml:5:12:",
            "sweep.yaml:6:16:",
            "sweep.yaml:6:27:",
            "sweep.yaml:7:30:");
  }

  @Test
  void whatIsNeverGuessedIsAskedForOrMissing() throws Exception {
    Loaded open = load("workload: {kind: kernels, kernel: allreduce}\ncatalogs: [openmpi]\n");
    assertThat(open.missing()).containsExactly("model", "parallelism", "slot");
    InvalidInputException e =
        catchThrowableOfType(
            InvalidInputException.class,
            () -> open.resolve(FakeCluster.fourNodes(), Prompter.nobody(), SweepText.EVENING));
    assertThat(e.problems()).hasSize(3);
    assertThat(e.getMessage())
        .contains(
            "sweep.yaml:1:1: 'slot' is missing; it is never guessed: write it into the file, or answer on a terminal");
    var spec =
        open.resolve(
            FakeCluster.fourNodes(),
            (key, question, choices) ->
                Optional.of(
                    switch (key) {
                      case "model" -> "allreduce";
                      case "parallelism" -> "ranks=2";
                      default -> "2";
                    }),
            SweepText.EVENING);
    assertThat(spec.cell().nodes()).containsExactly("n1", "n3");
  }

  @Test
  void aSettingThatNoKernelHasIsNoSilentDefault() {
    String text =
        GOOD.replace("kernel: allreduce", "kernel: allreduce\n  iteratoins: 8\n  sizes: [8, 64]")
            + "configTags: {a: {dtyp: f32}}\n";
    assertThat(problems(text.replace("{env: {A: 6}}", "{overrides: {m: 6}}")))
        .extracting(p -> p.replaceAll("expected one of .*; did", "...; did"))
        .satisfiesExactly(
            p ->
                assertThat(p)
                    .isEqualTo(
                        "sweep.yaml:7:3: unknown setting of allreduce 'iteratoins'; ...; did you mean 'iterations'?"),
            p ->
                assertThat(p)
                    .isEqualTo(
                        "sweep.yaml:8:10: 'sizes' is more than one size; a cell measures one; make a config tag of each"),
            p ->
                assertThat(p)
                    .startsWith(
                        "sweep.yaml:11:22: unknown setting of allreduce 'm'; expected one of"),
            p ->
                assertThat(p)
                    .isEqualTo(
                        "sweep.yaml:13:18: unknown setting of allreduce 'dtyp'; ...; did you mean 'dtype'?"));
  }

  @Test
  void wavesSpelledOutAreCheckedAtTheirPlaces() {
    assertThat(
            problems(
                GOOD
                    + """
                    plan:
                      waves:
                        - {name: base, kind: baseline}
                        - {name: one, kind: screen, profiles: [rign]}
                        - {name: two, kind: screen, select: {from: [openmip]}}
                        - {name: one, kind: race, profiles: [ring]}
                        - {name: four, kind: screeen}
                        - {name: five, kind: screen, profiles: [ring], if: parallelism ha PP}
                    """))
        .containsExactly(
            "sweep.yaml:14:44: unknown profile 'rign'; expected one of baseline-deployed, baseline-no-env, ring, tree; did you mean 'ring'?",
            "sweep.yaml:15:49: unknown flag catalog 'openmip'; expected one of jax-memory, maxtext-pipeline, openblas, openmpi, rccl, xla; did you mean 'openmpi'?",
            "sweep.yaml:16:14: the wave 'one' names profiles; expected none: a wave of kind race chooses them itself",
            "sweep.yaml:16:14: the wave 'one' stands twice; another is on line 14",
            "sweep.yaml:17:26: unknown kind 'screeen'; expected one of probe, baseline, evidence, screen, stack, race, confirm, cross-check, winner-evidence, node-gate; did you mean 'screen'?",
            "sweep.yaml:18:56: unknown condition 'parallelism ha PP'; expected one of parallelism has PP, parallelism lacks PP, axes > 1, config tags > 1, workload is kernels, workload is maxtext, workload is command; did you mean 'parallelism has PP'?");
  }

  /** Runs of one of two waves with the same name would be reported for the other. */
  @Test
  void noWaveHasTheNameOfAPartOfAnother() {
    assertThat(
            problems(
                GOOD
                    + """
                    plan:
                      waves:
                        - {name: one, kind: screen, split: 1, select: {from: profiles}}
                        - {name: one-2, kind: race}
                        - {name: one-b, kind: confirm}
                    """))
        .containsExactly(
            "sweep.yaml:14:14: the wave 'one-2' has the name of a part of 'one', which is split; expected another name");
  }

  @Test
  void aPlanWithoutCandidatesSweepsNothing() {
    assertThat(problems(GOOD.replaceAll("(?s)profiles:.*}}\n", "")))
        .containsExactly(
            "sweep.yaml:1:1: there is nothing to sweep: no wave of the plan has a candidate; expected 'profiles', or 'catalogs' with entries for this parallelism");
  }

  @Test
  void aCommandSaysWhatIsCompared() {
    assertThat(problems(GOOD.replace("kind: kernels", "kind: command") + "playbook: kernels\n"))
        .contains(
            "sweep.yaml:4:1: 'metric' is missing; a workload of kind command says what is compared: {name, unit, better}");
  }

  @Test
  void filesBesideTheSweepWinAndAreCheckedUnderTheirOwnNames() throws Exception {
    Path plans = Files.createDirectories(folder.resolve("templates/plans"));
    Files.writeString(plans.resolve("kernels.yaml"), "waves:\n  - {name: b, kind: baselin}\n");
    assertThat(problems(GOOD))
        .contains(
            "templates/plans/kernels.yaml:2:21: unknown kind 'baselin'; expected one of probe, baseline, evidence, screen, stack, race, confirm, cross-check, winner-evidence, node-gate; did you mean 'baseline'?");
    Files.writeString(folder.resolve("mine.yaml"), "about: x\nwaves: []\n");
    assertThat(problems(GOOD + "plan: mine.yaml\n"))
        .contains("mine.yaml:2:8: 'waves' is a list; expected a list of waves, at least one");
    Path flags = Files.createDirectories(folder.resolve("flags"));
    Files.writeString(
        flags.resolve("own.yaml"),
        """
        about: mine
        entries:
          - id: a
            env: A
            type: integer
            values: [one]
            parallelisms: {any: {sign: up, why: it is}}
            conflicts: [b]
            about: a thing
          - {id: a, env: B, flag: --xla_x, type: text, values: [1], parallelisms: {any: {sign: mixed, why: x}}, about: x}
        """);
    assertThat(problems(GOOD + "catalogs: own\n"))
        .contains(
            "flags/own.yaml:6:14: found 'one'; expected a whole number",
            "flags/own.yaml:7:32: unknown sign 'up'; expected one of positive, neutral, negative, mixed, unknown",
            "flags/own.yaml:8:17: unknown entry 'b'; expected one of a; did you mean 'a'?",
            "flags/own.yaml:10:10: the id 'a' stands twice; it is on line 3",
            "flags/own.yaml:10:5: the entry sets more than one thing; expected exactly one of flag, env, override");
    Path playbooks = Files.createDirectories(folder.resolve("playbooks"));
    Files.writeString(
        playbooks.resolve("p.yaml"),
        """
        about: x
        extends: q
        classes:
          oom-gpu: {remedy: {then: explode}}
        """);
    Files.writeString(playbooks.resolve("q.yaml"), "about: x\nextends: p\n");
    assertThat(problems(GOOD + "playbook: p\n"))
        .contains(
            "playbooks/p.yaml:4:28: unknown then 'explode'; expected one of resubmit, fail-trial, drop-profile, set-aside, halt, accept",
            "playbooks/q.yaml:2:10: playbook 'p' extends itself; expected no circle of 'extends'");
    Files.writeString(
        playbooks.resolve("asks.yaml"),
        """
        about: x
        extends: common
        classes:
          oom-gpu:
            remedy:
              steps:
                - {do: wait, timeout: 5m, approval: true}
        """);
    assertThat(problems(GOOD + "playbook: asks\n"))
        .contains(
            "playbooks/asks.yaml:7:45: 'approval' on the step 'wait'; expected it on a step that runs outside the daemon, such as resume-node; nobody is asked about this one");
  }

  @Test
  void aFileThatIsNotThereOrNoTextIsSaidSo() throws Exception {
    Path file = folder.resolve("none.yaml");
    InvalidInputException e =
        catchThrowableOfType(InvalidInputException.class, () -> SweepFile.load(file));
    assertThat(e.getMessage())
        .isEqualTo("none.yaml: there is no file " + file + "; write one with 'nightsweep init'");
    assertThat(problems(""))
        .containsExactly("sweep.yaml:1:1: the file is empty; expected lines of 'key: value'");
    assertThat(problems("- a\n"))
        .containsExactly(
            "sweep.yaml:1:1: the file is not a mapping; expected lines of 'key: value'");
    Files.write(file, new byte[] {(byte) 0xff, 0, 1});
    e = catchThrowableOfType(InvalidInputException.class, () -> SweepFile.load(file));
    assertThat(e.getMessage()).isEqualTo("none.yaml: the file is not UTF-8; expected a YAML text");
  }

  @Test
  void aPathOutOfTheFolderIsNoPackedName() {
    assertThat(Resources.beside(folder.resolve("sweep.yaml")).find(Resources.Kind.PLAN, "../x"))
        .map(Resources.ResourceText::file)
        .isEmpty();
  }

  private Loaded load(String text) throws Exception {
    return SweepText.load(folder, text);
  }

  private List<String> problems(String text) {
    return SweepText.problems(folder, text);
  }
}
