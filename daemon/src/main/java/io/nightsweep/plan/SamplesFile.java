package io.nightsweep.plan;

import io.nightsweep.sweep.JobEnd;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads {@code playbooks/samples/*.yaml}: sample logs by class. */
final class SamplesFile {
  private final Resources resources;
  private final Problems problems;

  SamplesFile(Resources resources, Problems problems) {
    this.resources = resources;
    this.problems = problems;
  }

  List<Sample> read(String playbook) {
    return resources
        .find(Resources.Kind.SAMPLES, playbook)
        .map(source -> read(source, playbook))
        .orElse(List.of());
  }

  private List<Sample> read(Resources.ResourceText source, String playbook) {
    Problems own = new Problems();
    Yaml.Mapping root = YamlReader.read(source.file(), source.text(), own);
    if (own.isEmpty()) {
      SchemaCheck.SAMPLES.check(root, own);
    }
    own.all().forEach(problems::add);
    List<Sample> samples = new ArrayList<>();
    for (String id : root.entries().keySet()) {
      int number = 0;
      for (Yaml item : root.items(id)) {
        number++;
        if (item instanceof Yaml.Mapping m) {
          samples.add(sample(playbook + " " + id + " #" + number, id, m));
        }
      }
    }
    return samples;
  }

  static Sample sample(String about, String id, Yaml.Mapping m) {
    int step = integer(m, "step", -1);
    int steps = integer(m, "steps", 0);
    Optional<Duration> silence = m.scalar("silence").flatMap(Values::duration);
    boolean runs = silence.isPresent() || m.text("state").equals(Optional.of("running"));
    boolean isUntold = m.text("state").equals(Optional.of("untold"));
    return new Sample(
        about,
        id,
        m.text("expect").orElse(id),
        m.text("log").orElse(""),
        runs || isUntold ? Optional.empty() : Optional.of(end(m)),
        step,
        steps,
        runs ? Optional.of(watch(m, silence.orElse(Duration.ZERO), step, steps)) : Optional.empty(),
        m.scalar("size").flatMap(RecognitionForm::bytes).orElse(0L));
  }

  private static JobEnd end(Yaml.Mapping m) {
    JobEnd.State state =
        m.scalar("state")
            .flatMap(s -> Values.constant(JobEnd.State.class, s))
            .orElse(JobEnd.State.FAILED);
    int usual = state == JobEnd.State.FAILED ? 1 : 0;
    return new JobEnd(
        state,
        integer(m, "exit", usual),
        Optional.empty(),
        Instant.EPOCH,
        JobEnd.Source.EXIT_RECORD);
  }

  private static Watch watch(Yaml.Mapping m, Duration silence, int step, int steps) {
    return new Watch(
        Instant.EPOCH.plus(silence),
        Instant.EPOCH,
        Optional.empty(),
        step,
        steps,
        m.scalar("first-job").map(Values::isTrue).orElse(false),
        m.scalar("baseline").map(Values::isTrue).orElse(false),
        m.scalar("baseline-step-seconds")
            .flatMap(Values::number)
            .map(OptionalDouble::of)
            .orElseGet(OptionalDouble::empty));
  }

  private static int integer(Yaml.Mapping m, String key, int otherwise) {
    return m.scalar(key).flatMap(Values::integer).orElse(otherwise);
  }
}
