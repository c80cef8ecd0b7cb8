package io.nightsweep.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.CollectiveRoute.Reach;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("xla")
class CollectiveRouteTest {
  @ParameterizedTest
  @EnumSource
  void itsNameIsReadBack(Reach reach) {
    CollectiveRoute route = new CollectiveRoute("ragged-all-to-all", reach);
    assertThat(CollectiveRoute.parse(route.toString())).isEqualTo(route);
  }

  @Test
  void onlyAFindingAboutCommunicationHasShares() {
    TreeMap<String, Double> figures = new TreeMap<>();
    figures.put("all-gather between nodes", 0.25);
    AttemptId attempt = new AttemptId(new TrialId(1), 1);
    Statement statement = Statement.words("as told");
    assertThat(
            new Finding(attempt, Finding.COMMUNICATION, statement, List.of(), figures)
                .exposedShares())
        .containsOnlyKeys(new CollectiveRoute("all-gather", Reach.BETWEEN_NODES));
    assertThat(
            new Finding(attempt, Finding.BREAKDOWN, statement, List.of(), figures).exposedShares())
        .isEmpty();
  }
}
