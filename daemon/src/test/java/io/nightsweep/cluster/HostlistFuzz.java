package io.nightsweep.cluster;

import io.nightsweep.fuzz.Scratch;
import java.util.List;

/** A list of nodes is read, and written so that it reads back, or is refused. */
public final class HostlistFuzz {
  private HostlistFuzz() {}

  /** Called by the fuzzer, and with each sample that is kept. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    try {
      List<String> hosts = Hostlist.parse(Scratch.text(input));
      Scratch.check(Hostlist.parse(Hostlist.format(hosts)).equals(hosts), hosts);
    } catch (Hostlist.SyntaxException refused) {
      Scratch.check(refused.index() >= 0, refused);
    }
  }
}
