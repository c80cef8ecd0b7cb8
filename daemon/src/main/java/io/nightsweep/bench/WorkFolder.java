package io.nightsweep.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
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

/**
 * What a run has on the disk before its bundle is published: rows, sources and control documents,
 * each as it comes. A later run of the same study goes on from it.
 */
public record WorkFolder(Path folder) {
  private static final String RUN = "run.json";
  private static final String SOURCES = "sources.ndjson";
  private static final String CONTROLS = "control";

  /** Who began it. */
  private record Run(
      @JsonProperty("study") String study, @JsonProperty("hostSalt") Optional<String> hostSalt) {}

  static WorkFolder begin(BenchRequest request, String study) throws IOException {
    WorkFolder work = new WorkFolder(request.work());
    Files.createDirectories(work.controlFolder());
    Durable.write(
        work.folder.resolve(RUN),
        BenchJson.MAPPER.writeValueAsBytes(new Run(study, request.hostSalt())));
    return work;
  }

  /** The newest of a study; ids of runs start with their time. */
  public static Optional<WorkFolder> latest(Path published, String study) throws IOException {
    Path all = published.resolve("work");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (Stream<Path> runs = Files.list(all)) {
      for (Path run : runs.sorted(Comparator.<Path>naturalOrder().reversed()).toList()) {
        if (Files.exists(run.resolve(RUN)) && new WorkFolder(run).run().study().equals(study)) {
          return Optional.of(new WorkFolder(run));
        }
      }
    }
    return Optional.empty();
  }

  /** What hosts were hashed with, where they were; the same host is the same hash in both runs. */
  public Optional<String> hostSalt() throws IOException {
    return run().hostSalt();
  }

  Path attempts() {
    return folder.resolve(Bundle.ATTEMPTS);
  }

  /** Rows of attempts; none where it ended before the first. */
  List<Row> rows() throws IOException {
    return Files.exists(attempts()) ? Attempts.read(attempts()) : List.of();
  }

  void add(Manifest.Source source) throws IOException {
    Durable.append(folder.resolve(SOURCES), BenchJson.MAPPER.writeValueAsString(source));
  }

  List<Manifest.Source> sources() throws IOException {
    List<Manifest.Source> sources = new ArrayList<>();
    if (Files.exists(folder.resolve(SOURCES))) {
      for (String line : Files.readAllLines(folder.resolve(SOURCES))) {
        sources.add(BenchJson.MAPPER.readValue(line, Manifest.Source.class));
      }
    }
    return sources;
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
          controls.put(CONTROLS + "/" + file.getFileName(), Files.readAllBytes(file));
        }
      }
    }
    return controls;
  }

  /** Takes over what an earlier run has of sources and control documents. */
  void takeOver(WorkFolder earlier) throws IOException {
    for (Manifest.Source source : earlier.sources()) {
      add(source);
    }
    for (var control : earlier.controls().entrySet()) {
      Durable.write(folder.resolve(control.getKey()), control.getValue());
    }
  }

  private Path controlFolder() {
    return folder.resolve(CONTROLS);
  }

  private Run run() throws IOException {
    return BenchJson.MAPPER.readValue(folder.resolve(RUN).toFile(), Run.class);
  }
}
