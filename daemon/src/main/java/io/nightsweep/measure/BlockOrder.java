package io.nightsweep.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The order of runs inside a block. It is random, so that no profile always runs at the same time
 * of day.
 */
public final class BlockOrder {

  private BlockOrder() {}

  /**
   * A screening block: controls at even distances, with the profiles in random order between them.
   *
   * @param control name that stands for the control in the result
   */
  public static List<String> screening(
      List<String> profiles, String control, int controls, long seed) {
    List<String> order = new ArrayList<>(profiles);
    Collections.shuffle(order, new Random(seed));
    int total = order.size() + controls;
    for (int i = 0; i < controls; i++) {
      order.add(Math.min(order.size(), (2 * i + 1) * total / (2 * controls)), control);
    }
    return List.copyOf(order);
  }

  /**
   * A confirmation: blocks of two runs of the profile and two of the control, each a palindrome (A
   * B B A or B A A B at random), so that a linear drift within a block cancels exactly. If the
   * number of runs is odd, the last block is one run of each.
   */
  public static List<List<String>> confirmation(
      String profile, String control, int runsPerArm, long seed) {
    Random random = new Random(seed);
    return IntStream.iterate(0, done -> done < runsPerArm, done -> done + 2)
        .mapToObj(
            done -> {
              boolean first = random.nextBoolean();
              String a = first ? profile : control;
              String b = first ? control : profile;
              return runsPerArm - done >= 2 ? List.of(a, b, b, a) : List.of(a, b);
            })
        .toList();
  }
}
