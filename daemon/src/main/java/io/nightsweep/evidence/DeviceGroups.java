package io.nightsweep.evidence;

import io.nightsweep.sweep.CollectiveRoute.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Whether the devices of a collective are on one node. Devices are numbered as in the mesh, in
 * which the axes between nodes precede those inside a node.
 *
 * @param devices of the whole module, 0 where its text does not say
 * @param nodes of the devices, with equally many on each
 */
record DeviceGroups(int devices, int nodes) {
  /** {@code [groups,size]<=[dimensions]T(permutation)}: the numbers 0, 1, ... rearranged. */
  private static final Pattern IOTA =
      Pattern.compile(
          "\\[(\\d{1,7}),(\\d{1,7})\\]<=\\[([\\d,]{1,80})\\](?:T\\(([\\d,]{1,40})\\))?");

  private static final int MOST_DEVICES = 1 << 20;

  Reach of(HloInstruction i) {
    if (nodes < 1 || devices < 1 || devices % nodes != 0 || devices > MOST_DEVICES) {
      return Reach.UNKNOWN;
    }
    Optional<String> pairs = i.braced("source_target_pairs");
    if (pairs.isPresent()) {
      return reach(lists(pairs.get()));
    }
    Optional<String> groups = i.braced("replica_groups");
    if (groups.isPresent()) {
      return groups.get().isBlank()
          ? nodes > 1 ? Reach.BETWEEN_NODES : Reach.INSIDE_NODES
          : reach(lists(groups.get()));
    }
    Matcher iota = IOTA.matcher(i.attributes());
    return iota.find() ? reach(laidOut(iota)) : Reach.UNKNOWN;
  }

  private Reach reach(List<List<Integer>> groups) {
    if (groups.isEmpty() || groups.stream().flatMap(List::stream).anyMatch(d -> d >= devices)) {
      return Reach.UNKNOWN;
    }
    int each = devices / nodes;
    return groups.stream().allMatch(g -> g.stream().map(d -> d / each).distinct().count() <= 1)
        ? Reach.INSIDE_NODES
        : Reach.BETWEEN_NODES;
  }

  /** The numbers in {@code {0,1},{2,3}}; empty where one of them is not a number. */
  private static List<List<Integer>> lists(String text) {
    List<List<Integer>> lists = new ArrayList<>();
    for (String group : HloShapes.elements("(" + text + ")")) {
      List<Integer> numbers = numbers(group.strip().replaceAll("^\\{|\\}$", ""));
      if (numbers.isEmpty()) {
        return List.of();
      }
      lists.add(numbers);
    }
    return lists;
  }

  private List<List<Integer>> laidOut(Matcher iota) {
    int size = Integer.parseInt(iota.group(2));
    List<Integer> dimensions = numbers(iota.group(3));
    List<Integer> order =
        iota.group(4) == null
            ? IntStream.range(0, dimensions.size()).boxed().toList()
            : numbers(iota.group(4));
    if (dimensions.stream().mapToLong(d -> d).reduce(1, (x, y) -> x * y) != devices
        || size < 1
        || devices % size != 0
        || !order.stream()
            .sorted()
            .toList()
            .equals(IntStream.range(0, dimensions.size()).boxed().toList())) {
      return List.of();
    }
    List<List<Integer>> groups = new ArrayList<>();
    for (int at = 0; at < devices; at++) {
      if (at % size == 0) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(number(at, dimensions, order));
    }
    return groups;
  }

  /** The device at a position of the permuted layout. */
  private static int number(int place, List<Integer> dimensions, List<Integer> order) {
    int[] index = new int[dimensions.size()];
    int rest = place;
    for (int k = order.size() - 1; k >= 0; k--) {
      int dimension = order.get(k);
      index[dimension] = rest % dimensions.get(dimension);
      rest /= dimensions.get(dimension);
    }
    int number = 0;
    for (int d = 0; d < index.length; d++) {
      number = number * dimensions.get(d) + index[d];
    }
    return number;
  }

  private static List<Integer> numbers(String text) {
    return text.matches("\\d{1,7}( *, *\\d{1,7})*+")
        ? Pattern.compile(" *, *").splitAsStream(text).map(Integer::valueOf).toList()
        : List.of();
  }
}
