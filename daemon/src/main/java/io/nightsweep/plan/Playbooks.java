package io.nightsweep.plan;

import io.nightsweep.sweep.Playbook;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.ThreadSample;
import java.util.Collection;
import java.util.List;

/** Playbooks by name, with the samples stored beside them. */
public final class Playbooks {
  private final Resources resources;

  public Playbooks(Resources resources) {
    this.resources = resources;
  }

  public Collection<String> names() {
    return resources.names(Resources.Kind.PLAYBOOK);
  }

  /**
   * @throws InvalidInputException with every problem of the playbook and its ancestors
   */
  public Playbook read(String name) throws InvalidInputException {
    Problems problems = new Problems();
    Playbook playbook = new PlaybookFile(resources, problems).read(name, asked(name));
    problems.throwIfAny();
    return playbook;
  }

  /**
   * The samples of the playbook and its ancestors; the playbook must classify all of them
   * correctly.
   */
  public List<Sample> samples(String name) throws InvalidInputException {
    Problems problems = new Problems();
    List<String> chain = new PlaybookFile(resources, problems).chain(name, asked(name));
    List<Sample> samples =
        chain.stream()
            .flatMap(link -> new SamplesFile(resources, problems).read(link).stream())
            .toList();
    problems.throwIfAny();
    return samples;
  }

  /**
   * The logs from public threads on which playbooks are measured, by family.
   *
   * @throws InvalidInputException with every problem of their files
   */
  public List<ThreadSample> threads() throws InvalidInputException {
    Problems problems = new Problems();
    List<ThreadSample> threads = new ThreadsFile(resources, problems).readAll();
    problems.throwIfAny();
    return threads;
  }

  private static Place asked(String name) {
    return Place.ofFile(name);
  }
}
