package io.nightsweep.sweep;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one node's check measured.
 *
 * @param node a pinned node's name
 * @param figures positive; a metric that gave no figure in time is absent
 */
public record NodeFigures(String node, SortedMap<NodeMetric, Double> figures) {
  public NodeFigures {
    figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
  }
}
