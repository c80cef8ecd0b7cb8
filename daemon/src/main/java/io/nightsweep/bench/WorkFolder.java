package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * What a run has on the disk before its bundle is published: rows, sources and control documents,
 * each as it comes. A later run of the same study goes on from it.
 */
public record WorkFolder(Path folder) {
  private static final String RUN = "run.json";
  private static final String SOURCES = "sources.ndjson";
  private static final String TIMES = "times.ndjson";

  /** What it is a run of, and the SHA-256 of the kernels' program. */
  private record Run(
      String study, StudyRehearsal rehearsal, Optional<String> hostSalt, String programSha256) {}

  static WorkFolder begin(BenchRequest request, String study) throws IOException {
    WorkFolder work = new WorkFolder(request.work());
    Files.createDirectories(work.controlFolder());
    Durable.write(
        work.folder.resolve(RUN),
        BenchJson.MAPPER.writeValueAsBytes(
            new Run(study, request.rehearsal(), request.hostSalt(), digest(request.program()))));
    return work;
  }

  /**
   * The newest of a study that is sized and sampled alike; ids of runs start with their time. No
   * row of a rehearsal is a row of the study.
   */
  public static Optional<WorkFolder> latest(Path published, String study, StudyRehearsal rehearsal)
      throws IOException {
    Path all = published.resolve("work");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (Stream<Path> runs = Files.list(all)) {
      for (Path run : runs.sorted(Comparator.<Path>naturalOrder().reversed()).toList()) {
        WorkFolder work = new WorkFolder(run);
        if (Files.exists(run.resolve(RUN))
            && work.told("study").equals(Optional.of(study))
            && work.rehearsal().equals(rehearsal)) {
          return Optional.of(work);
        }
      }
    }
    return Optional.empty();
  }

  /** What hosts were hashed with, where they were; the same host is the same hash in both runs. */
  public Optional<String> hostSalt() throws IOException {
    return told("hostSalt");
  }

  /**
   * Rows of two builds are no one study's.
   *
   * @throws IOException where another program has measured what is here
   */
  void holdProgram(Path program) throws IOException {
    Optional<String> before = told("programSha256");
    if (before.isPresent() && !before.get().equals(digest(program))) {
      throw new IOException(
          program
              + " is not the program that measured "
              + folder.getFileName()
              + ": the study begins anew without --resume");
    }
  }

  private static String digest(Path program) throws IOException {
    return DigestUtils.sha256Hex(Files.readAllBytes(program));
  }

  Path attempts() {
    return folder.resolve(Bundle.ATTEMPTS);
  }

  /** Rows of attempts; none where it ended before the first. */
  List<Row> rows() throws IOException {
    return Files.exists(attempts()) ? Attempts.read(attempts()) : List.of();
  }

  void add(Manifest.JobSource source) throws IOException {
    Durable.append(folder.resolve(SOURCES), BenchJson.MAPPER.writeValueAsString(source));
  }

  List<Manifest.JobSource> sources() throws IOException {
    List<Manifest.JobSource> sources = new ArrayList<>();
    if (Files.exists(folder.resolve(SOURCES))) {
      for (String line : Files.readAllLines(folder.resolve(SOURCES))) {
        sources.add(BenchJson.MAPPER.readValue(line, Manifest.JobSource.class));
      }
    }
    return sources;
  }

  void add(JobTime time) throws IOException {
    Durable.append(folder.resolve(TIMES), BenchJson.MAPPER.writeValueAsString(time));
  }

  /** The sources of all jobs, also those of the run that this one continues. */
  List<JobTime> times() throws IOException {
    List<JobTime> times = new ArrayList<>();
    if (Files.exists(folder.resolve(TIMES))) {
      for (String line : Files.readAllLines(folder.resolve(TIMES))) {
        times.add(BenchJson.MAPPER.readValue(line, JobTime.class));
      }
    }
    return times;
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

  /** Takes over what an earlier run has of sources and control documents. */
  void takeOver(WorkFolder earlier) throws IOException {
    for (Manifest.JobSource source : earlier.sources()) {
      add(source);
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

  private StudyRehearsal rehearsal() throws IOException {
    JsonNode told = BenchJson.MAPPER.readTree(folder.resolve(RUN).toFile()).path("rehearsal");
    return told.isObject()
        ? BenchJson.MAPPER.treeToValue(told, StudyRehearsal.class)
        : StudyRehearsal.NONE;
  }

  /** A field of who began it; absent in a folder of a version that did not tell it. */
  private Optional<String> told(String field) throws IOException {
    JsonNode told = BenchJson.MAPPER.readTree(folder.resolve(RUN).toFile()).path(field);
    return told.isTextual() ? Optional.of(told.asText()) : Optional.empty();
  }
}
