package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BlockOrderTest {

  @Property
  void aScreeningBlockHoldsEveryProfileOnceAndItsControls(
      @ForAll @IntRange(min = 1, max = 13) int size,
      @ForAll @IntRange(min = 1, max = 4) int controls,
      @ForAll long seed) {
    List<String> profiles = IntStream.range(0, size).mapToObj(i -> "p" + i).toList();
    List<String> order = BlockOrder.screening(profiles, "base", controls, seed);
    assertThat(Collections.frequency(order, "base")).isEqualTo(controls);
    assertThat(order).hasSize(size + controls).containsAll(profiles);
    assertThat(BlockOrder.screening(profiles, "base", controls, seed)).isEqualTo(order);
  }

  @Property
  void aStraightDriftCancelsInEveryFullConfirmationBlock(
      @ForAll @IntRange(min = 2, max = 11) int runs, @ForAll long seed) {
    List<List<String>> blocks = BlockOrder.confirmation("a", "base", runs, seed);
    assertThat(blocks.stream().mapToInt(b -> Collections.frequency(b, "a")).sum()).isEqualTo(runs);
    assertThat(blocks.stream().mapToInt(b -> Collections.frequency(b, "base")).sum())
        .isEqualTo(runs);
    for (List<String> block : blocks.subList(0, runs / 2)) {
      int lean = IntStream.range(0, block.size()).map(i -> block.get(i).equals("a") ? i : -i).sum();
      assertThat(lean).isZero();
    }
  }
}
