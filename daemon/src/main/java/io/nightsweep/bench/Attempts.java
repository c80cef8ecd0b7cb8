package io.nightsweep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * All rows of all attempts; rows are appended and never changed. {@link #RULE}, which is published,
 * says which attempt counts; the others stay listed.
 */
final class Attempts {
  /**
   * The last attempt of a case counts. If an attempt had wrong elements, the first such attempt
   * counts instead: a later correct result does not make the case correct. All other attempts are
   * listed.
   */
  static final String RULE = "last-attempt-counts-unless-wrong/2";

  private final Path file;
  private final List<Row> rows = new ArrayList<>();

  Attempts(Path file) {
    this.file = file;
  }

  void append(List<Row> more) throws IOException {
    for (Row row : more) {
      Durable.append(file, BenchJson.MAPPER.writeValueAsString(row));
      rows.add(row);
    }
  }

  /** Appends those rows of a job that are not in the file yet. */
  void appendNew(List<Row> more) throws IOException {
    append(
        more.stream()
            .filter(
                m ->
                    rows.stream()
                        .noneMatch(r -> r.key().equals(m.key()) && r.attempt() == m.attempt()))
            .toList());
  }

  List<Row> all() {
    return List.copyOf(rows);
  }

  /** The row that counts for each case. */
  List<Row> counting() {
    SequencedMap<Row.Key, Row> last = new LinkedHashMap<>();
    for (Row row : rows) {
      last.merge(row.key(), row, (before, now) -> before.hasWrongElements() ? before : now);
    }
    return List.copyOf(last.values());
  }

  /**
   * Reads published rows.
   *
   * @throws IOException where a line is not a row, or the file has no rows
   */
  static List<Row> read(Path file) throws IOException {
    List<Row> rows = read(file, Files.readAllLines(file));
    if (rows.isEmpty()) {
      throw new IOException(file.getFileName() + " holds no row");
    }
    return rows;
  }

  /**
   * Reads the rows that a run has written so far, without a cut-off last line.
   *
   * @throws IOException where a complete line is not a row
   */
  static List<Row> readAppended(Path file) throws IOException {
    return read(file, Durable.lines(file));
  }

  private static List<Row> read(Path file, List<String> lines) throws IOException {
    List<Row> rows = new ArrayList<>();
    int number = 0;
    for (String line : lines) {
      number++;
      try {
        rows.add(
            BenchJson.MAPPER.treeToValue(
                RowFromSchema1.upgraded(BenchJson.MAPPER.readTree(line)), Row.class));
      } catch (IOException e) {
        throw new IOException(file.getFileName() + ":" + number + ": no row: " + e.getMessage(), e);
      }
    }
    return rows;
  }
}
