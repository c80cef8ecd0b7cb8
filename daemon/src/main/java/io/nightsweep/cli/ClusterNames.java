package io.nightsweep.cli;

import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.sweep.LowerCase;
import java.util.Arrays;
import java.util.Iterator;

/** The clusters that people can name, for picocli's completion and help. */
final class ClusterNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(ClusterChoice.Kind.values()).map(LowerCase::of).iterator();
  }
}
