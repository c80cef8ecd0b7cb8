package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a document's line fits through median times against its own cases: least squares over
 * cases that differ only in size, with at least three sizes, published only if R² is at least 0.9
 * and the bandwidth term at least a quarter of the largest time.
 */
final class FitsAudit {
  private static final double LEAST_R_SQUARED = 0.9;
  private static final double LEAST_SHARE = 0.25;
  private static final int LEAST_SIZES = 3;

  /** Sums of squares lose digits, and the program adds in another order. */
  private static final double TOLERANCE = 1e-6;

  private FitsAudit() {}

  private record Series(JsonNode identity, String component) {}

  private record At(double bytes, double seconds) {}

  private record FittedLine(
      int points, double alpha, double beta, double rSquared, double share, double typical) {
    boolean isPublished() {
      return rSquared >= LEAST_R_SQUARED && share >= LEAST_SHARE;
    }
  }

  /** A fit that is wrong, missing or superfluous; empty if there is none. */
  static Optional<String> contradiction(KernelResult document) {
    Map<Series, List<At>> series = new LinkedHashMap<>();
    for (KernelResult.Case one : document.cases()) {
      if (!one.disposition().equals("measured") || !(one.identity() instanceof ObjectNode whole)) {
        continue;
      }
      ObjectNode identity = whole.deepCopy();
      identity.remove(List.of("bytes", "elements"));
      for (Component c : one.components()) {
        @Nullable Double bytes = c.stateBytes();
        if (bytes != null && bytes > 0) {
          series
              .computeIfAbsent(new Series(identity, c.name()), k -> new ArrayList<>())
              .add(new At(bytes, c.p50Seconds()));
        }
      }
    }
    Map<Series, FittedLine> lines =
        series.entrySet().stream()
            .filter(e -> sizes(e.getValue()) >= LEAST_SIZES)
            .collect(Collectors.toMap(Map.Entry::getKey, e -> line(e.getValue())));
    if (document.fits().size() != lines.size()) {
      return Optional.of(
          document.fits().size() + " lines are given where " + lines.size() + " have three sizes");
    }
    return document.fits().stream()
        .flatMap(
            fit ->
                Stream.ofNullable(
                    differs(
                        fit,
                        lines.get(
                            new Series(fit.path("identity"), fit.path("component").asText())))))
        .findFirst();
  }

  private static long sizes(List<At> points) {
    return points.stream().mapToDouble(At::bytes).distinct().count();
  }

  private static @Nullable String differs(JsonNode fit, @Nullable FittedLine line) {
    if (line == null) {
      return "a line is given for cases that are not in the document";
    }
    boolean isRight =
        fit.path("points").asInt() == line.points()
            && fit.path("published").asBoolean() == line.isPublished()
            && near(fit.path("rSquared"), line.rSquared(), 1)
            && near(fit.path("bandwidthShare"), line.share(), 1)
            && (line.isPublished()
                ? near(fit.path("alphaSeconds"), line.alpha(), line.typical())
                    && near(fit.path("betaSecondsPerByte"), line.beta(), line.beta())
                : fit.path("alphaSeconds").isNull() && fit.path("betaSecondsPerByte").isNull());
    return isRight
        ? null
        : "a line of " + fit.path("component").asText() + " does not follow from its points";
  }

  private static boolean near(JsonNode told, double is, double size) {
    return told.isNumber() && Math.abs(told.asDouble() - is) <= TOLERANCE * Math.abs(size);
  }

  private static FittedLine line(List<At> points) {
    double x = points.stream().mapToDouble(At::bytes).average().orElseThrow();
    double y = points.stream().mapToDouble(At::seconds).average().orElseThrow();
    double xx = points.stream().mapToDouble(p -> (p.bytes() - x) * (p.bytes() - x)).sum();
    double xy = points.stream().mapToDouble(p -> (p.bytes() - x) * (p.seconds() - y)).sum();
    double yy = points.stream().mapToDouble(p -> (p.seconds() - y) * (p.seconds() - y)).sum();
    double beta = xy / xx;
    // If several points have the largest size, the first counts, as in the program.
    At largest = points.getFirst();
    for (At p : points) {
      if (p.bytes() > largest.bytes()) {
        largest = p;
      }
    }
    return new FittedLine(
        points.size(),
        y - beta * x,
        beta,
        yy > 0 ? xy * xy / (xx * yy) : 0,
        beta * largest.bytes() / largest.seconds(),
        y);
  }
}
