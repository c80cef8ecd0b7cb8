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
  private final List<CaseRow> rows = new ArrayList<>();

  Attempts(Path file) {
    this.file = file;
  }

  void append(List<CaseRow> more) throws IOException {
    for (CaseRow row : more) {
      Durable.append(file, BenchJson.MAPPER.writeValueAsString(row));
      rows.add(row);
    }
  }

  /** Appends those rows of a job that are not in the file yet. */
  void appendNew(List<CaseRow> more) throws IOException {
    append(
        more.stream()
            .filter(
                m ->
                    rows.stream()
                        .noneMatch(r -> r.key().equals(m.key()) && r.attempt() == m.attempt()))
            .toList());
  }

  List<CaseRow> all() {
    return List.copyOf(rows);
  }

  /** The row that counts for each case. */
  List<CaseRow> counting() {
    SequencedMap<CaseRow.Key, CaseRow> last = new LinkedHashMap<>();
    for (CaseRow row : rows) {
      last.merge(row.key(), row, (before, now) -> before.hasWrongElements() ? before : now);
    }
    return List.copyOf(last.values());
  }

  /**
   * Reads published rows.
   *
   * @throws IOException where a line is not a row, or the file has no rows
   */
  static List<CaseRow> read(Path file) throws IOException {
    List<CaseRow> rows = read(file, Files.readAllLines(file));
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
  static List<CaseRow> readAppended(Path file) throws IOException {
    return read(file, Durable.lines(file));
  }

  private static List<CaseRow> read(Path file, List<String> lines) throws IOException {
    List<CaseRow> rows = new ArrayList<>();
    int number = 0;
    for (String line : lines) {
      number++;
      try {
        rows.add(
            BenchJson.MAPPER.treeToValue(
                RowFromSchema1.upgraded(BenchJson.MAPPER.readTree(line)), CaseRow.class));
      } catch (IOException e) {
        throw new IOException(file.getFileName() + ":" + number + ": no row: " + e.getMessage(), e);
      }
    }
    return rows;
  }
}
