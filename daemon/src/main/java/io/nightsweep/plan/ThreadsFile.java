package io.nightsweep.plan;

import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.ThreadSample;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Reads {@code playbooks/threads/*.yaml}: logs from public threads, by family. */
final class ThreadsFile {
  private static final String BENIGN = "benign";

  private final Resources resources;
  private final Problems problems;

  ThreadsFile(Resources resources, Problems problems) {
    this.resources = resources;
    this.problems = problems;
  }

  List<ThreadSample> readAll() {
    List<ThreadSample> all = new ArrayList<>();
    for (String name : resources.names(Resources.Kind.THREADS)) {
      resources.find(Resources.Kind.THREADS, name).ifPresent(source -> all.addAll(read(source)));
    }
    return all;
  }

  private List<ThreadSample> read(Resources.ResourceText source) {
    Problems own = new Problems();
    Yaml.Mapping root = YamlReader.read(source.file(), source.text(), own);
    if (own.isEmpty()) {
      SchemaCheck.THREADS.check(root, own);
    }
    own.all().forEach(problems::add);
    List<ThreadSample> samples = new ArrayList<>();
    if (own.isEmpty()) {
      for (String family : root.entries().keySet()) {
        for (Yaml item : root.items(family)) {
          if (item instanceof Yaml.Mapping m) {
            samples.add(sample(family, m));
          }
        }
      }
    }
    return samples;
  }

  private static ThreadSample sample(String family, Yaml.Mapping m) {
    String thread = m.text("source").orElse("");
    String expected = m.text("expect").filter(e -> !e.equals(BENIGN)).orElse(KnownClasses.SUCCESS);
    Sample read = SamplesFile.sample(family + ", " + thread, expected, m);
    return new ThreadSample(
        family,
        thread,
        m.scalars("also").stream().map(Yaml.Scalar::text).collect(Collectors.toSet()),
        m.text("root"),
        m.scalar("held-out").map(Values::isTrue).orElse(false),
        read.expecting(expected));
  }
}
