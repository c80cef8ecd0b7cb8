package io.nightsweep.sim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

/**
 * The published measurements of one real sweep as response surfaces: each row is a profile's mean,
 * and its difference from the row's baseline counts as the true effect. The noise in that single
 * night's figures is taken for truth.
 */
public final class ReplayTable {
  private static final String TABLE = "/replay/deepseek3-671b-mi355.tsv";

  private ReplayTable() {}

  /**
   * A topology with one config tag.
   *
   * @param baselineTokensPerSecond the baseline's, per device
   * @param responses of every other profile, by name, in the table's order
   */
  public record ReplayCell(
      double baselineTokensPerSecond, LinkedHashMap<String, Response> responses) {

    public List<String> profiles() {
      return List.copyOf(responses.keySet());
    }

    /** The best true log gain. */
    public double best() {
      return responses.values().stream().mapToDouble(ReplayTable::gain).max().orElse(0);
    }

    public double gain(String profile) {
      return ReplayTable.gain(Objects.requireNonNull(responses.get(profile)));
    }
  }

  static double gain(Response response) {
    return response instanceof Response.Gain gain ? gain.logGain() : 0;
  }

  /**
   * One cell of the table, such as {@code PP=8} with {@code sgd-v3}.
   *
   * @throws IllegalArgumentException if the table has no baseline for it
   */
  public static ReplayCell cell(String topology, String configTag) {
    List<String[]> rows =
        lines().stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("\t", -1))
            .filter(row -> row[0].equals(topology) && row[1].equals(configTag))
            .toList();
    double baseline =
        rows.stream()
            .filter(ReplayTable::isBaseline)
            .mapToDouble(row -> Double.parseDouble(row[4]))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(topology + " " + configTag));
    LinkedHashMap<String, Response> responses = new LinkedHashMap<>();
    for (String[] row : rows) {
      if (!isBaseline(row)) {
        responses.put(row[2], response(row, baseline));
      }
    }
    return new ReplayCell(baseline, responses);
  }

  private static boolean isBaseline(String[] row) {
    return row[3].equals(row[7]);
  }

  private static Response response(String[] row, double baseline) {
    String tokensPerSecond = row[4];
    if (tokensPerSecond.equals("OOM")) {
      return new Response.Fails("oom-gpu", 0.35);
    }
    return new Response.Gain(
        tokensPerSecond.isEmpty()
            ? Math.log1p(Double.parseDouble(row[6]) / 100)
            : Math.log(Double.parseDouble(tokensPerSecond) / baseline));
  }

  private static List<String> lines() {
    try (var in = Objects.requireNonNull(ReplayTable.class.getResourceAsStream(TABLE));
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().skip(2).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cells with enough rows to sweep. */
  public static List<String> names() {
    return List.of("FSDP=8 sgd-v3", "PP=8 sgd-v3");
  }

  /** Topology and config tag with a space between them. */
  public static ReplayCell named(String name) {
    int space = name.indexOf(' ');
    return cell(name.substring(0, space), name.substring(space + 1));
  }
}
