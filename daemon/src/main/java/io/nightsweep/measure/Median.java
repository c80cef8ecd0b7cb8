package io.nightsweep.measure;

import java.util.Arrays;
import java.util.Collection;

/** The median: the middle value, or the mean of the two middle values of an even number. */
public final class Median {
  private Median() {}

  public static double of(Collection<Double> values) {
    return of(values.stream().mapToDouble(v -> v).toArray());
  }

  public static double of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
