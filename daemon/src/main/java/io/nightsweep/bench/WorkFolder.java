package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The files of a run before its bundle is published: rows, sources and control documents, written
 * as they arrive. A later run of the same study can continue from them.
 */
public record WorkFolder(Path folder) {
  private static final String RUN = "run.json";
  private static final String SOURCES = "sources.ndjson";
  private static final String TIMES = "times.ndjson";
  private static final Pattern ATTEMPT = Pattern.compile("-attempt-(\\d{1,9})");

  /**
   * The configuration of the run; all rows of one study must have the same one.
   *
   * @param programs the SHA-256 of each, by side
   * @param environments by side
   * @param inject a fault for tests
   */
  private record StudyRunInput(
      String study,
      StudyRehearsal rehearsal,
      Optional<String> hostSalt,
      List<String> nodes,
      int cpusPerTask,
      SortedMap<String, String> programs,
      SortedMap<String, SortedMap<String, String>> environments,
      Optional<String> inject) {
    static StudyRunInput of(BenchRequest request, Study study) throws IOException {
      SortedMap<String, String> programs = new TreeMap<>();
      SortedMap<String, SortedMap<String, String>> environments = new TreeMap<>();
      programs.put(CaseRow.ONE_SIDE, digest(request.program()));
      for (Map.Entry<String, Study.Side> side : study.sides().entrySet()) {
        programs.put(side.getKey(), digest(request.program(side.getValue())));
        environments.put(side.getKey(), side.getValue().env());
      }
      return new StudyRunInput(
          study.name(),
          request.rehearsal(),
          request.hostSalt(),
          request.nodes(),
          study.cpusPerTask(),
          programs,
          environments,
          request.inject());
    }

    private static String digest(Path program) throws IOException {
      return DigestUtils.sha256Hex(Files.readAllBytes(program));
    }

    /** The differences to another run's configuration, for people. */
    Optional<String> difference(StudyRunInput other) {
      return Stream.of(
              differs("program", programs, other.programs),
              differs("sides' env", environments, other.environments),
              differs("nodes", nodes, other.nodes),
              differs("cpusPerTask", cpusPerTask, other.cpusPerTask),
              differs("injected fault", inject.orElse("none"), other.inject.orElse("none")))
          .flatMap(Optional::stream)
          .findFirst();
    }

    private static Optional<String> differs(String what, Object own, Object other) {
      return own.equals(other)
          ? Optional.empty()
          : Optional.of(what + ": " + own + " instead of " + other);
    }
  }

  static WorkFolder create(BenchRequest request) throws IOException {
    WorkFolder work = new WorkFolder(request.work());
    Files.createDirectories(work.controlFolder());
    return work;
  }

  /**
   * Marks the folder as one from which a later run can continue; everything taken over is in it by
   * now.
   */
  void begin(BenchRequest request, Study study) throws IOException {
    Durable.write(
        folder.resolve(RUN), BenchJson.MAPPER.writeValueAsBytes(StudyRunInput.of(request, study)));
  }

  /**
   * The newest run of a study with the same sizes and sampling; a run's id starts with its time. A
   * rehearsal's rows never count for the study. Runs that stopped before they began, or are of
   * another version, are skipped.
   */
  public static Optional<WorkFolder> latest(Path published, String study, StudyRehearsal rehearsal)
      throws IOException {
    Path all = published.resolve("work");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (Stream<Path> runs = Files.list(all)) {
      return runs.sorted(Comparator.<Path>naturalOrder().reversed())
          .map(WorkFolder::new)
          .filter(
              work ->
                  work.run()
                      .filter(r -> r.study().equals(study) && r.rehearsal().equals(rehearsal))
                      .isPresent())
          .findFirst();
    }
  }

  /**
   * The salt of the host hashes, if hosts were hashed: a resumed run must give each host the same
   * hash.
   */
  public Optional<String> hostSalt() {
    return run().flatMap(StudyRunInput::hostSalt);
  }

  /** The nodes of its jobs. */
  public List<String> nodes() {
    return run().map(StudyRunInput::nodes).orElse(List.of());
  }

  /**
   * Refuses to mix rows of two configurations in one study.
   *
   * @throws IOException where the rows here were measured by another program, with other settings
   *     or on other nodes
   */
  void hold(BenchRequest request, Study study) throws IOException {
    StudyRunInput now = StudyRunInput.of(request, study);
    Optional<String> difference =
        run().map(now::difference).orElse(Optional.of("it says nothing about its run"));
    if (difference.isPresent()) {
      throw new IOException(
          folder.getFileName()
              + " was measured otherwise ("
              + difference.get()
              + "): without --resume, the study starts anew");
    }
  }

  Path attempts() {
    return folder.resolve(Bundle.ATTEMPTS);
  }

  /** Rows of all attempts; empty where the run ended before the first. */
  List<CaseRow> rows() throws IOException {
    return Attempts.readAppended(attempts());
  }

  /**
   * Adds a source unless it is known: a job is read twice if its command was killed while it read.
   */
  void addOnce(Manifest.JobSource source) throws IOException {
    if (!sources().contains(source)) {
      Durable.append(folder.resolve(SOURCES), BenchJson.MAPPER.writeValueAsString(source));
    }
  }

  List<Manifest.JobSource> sources() throws IOException {
    return appended(SOURCES, Manifest.JobSource.class);
  }

  void add(JobTime time) throws IOException {
    Durable.append(folder.resolve(TIMES), BenchJson.MAPPER.writeValueAsString(time));
  }

  /** The times of all jobs, including those of the run that this one continues. */
  List<JobTime> times() throws IOException {
    return appended(TIMES, JobTime.class);
  }

  private <T> List<T> appended(String name, Class<T> type) throws IOException {
    List<T> all = new ArrayList<>();
    for (String line : Durable.lines(folder.resolve(name))) {
      all.add(BenchJson.MAPPER.readValue(line, type));
    }
    return all;
  }

  void addControl(String name, String text) throws IOException {
    Durable.write(controlFolder().resolve(name), text.getBytes(StandardCharsets.UTF_8));
  }

  /** The control documents, by their place in the bundle. */
  SequencedMap<String, byte[]> controls() throws IOException {
    SequencedMap<String, byte[]> controls = new LinkedHashMap<>();
    if (Files.isDirectory(controlFolder())) {
      try (Stream<Path> files = Files.list(controlFolder())) {
        for (Path file : files.sorted().toList()) {
          controls.put(Bundle.CONTROLS + "/" + file.getFileName(), Files.readAllBytes(file));
        }
      }
    }
    return controls;
  }

  /** The number of the last attempt with a control document; 0 without any. */
  int lastAttempt() throws IOException {
    return controls().keySet().stream()
        .map(ATTEMPT::matcher)
        .filter(Matcher::find)
        .mapToInt(m -> Integer.parseInt(m.group(1)))
        .max()
        .orElse(0);
  }

  /** Copies the sources and control documents of an earlier run. */
  void takeOver(WorkFolder earlier) throws IOException {
    for (Manifest.JobSource source : earlier.sources()) {
      addOnce(source);
    }
    for (JobTime time : earlier.times()) {
      add(time);
    }
    for (var control : earlier.controls().entrySet()) {
      Durable.write(folder.resolve(control.getKey()), control.getValue());
    }
  }

  private Path controlFolder() {
    return folder.resolve(Bundle.CONTROLS);
  }

  private Optional<StudyRunInput> run() {
    try {
      return Optional.of(
          BenchJson.MAPPER.readValue(folder.resolve(RUN).toFile(), StudyRunInput.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
