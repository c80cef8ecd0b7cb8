package io.nightsweep.cluster;

import io.nightsweep.fuzz.Scratch;
import java.util.List;

/** A node list is either refused, or read and written so that it can be read again. */
public final class HostlistFuzz {
  private HostlistFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    try {
      List<String> hosts = Hostlist.parse(Scratch.text(input));
      Scratch.check(Hostlist.parse(Hostlist.format(hosts)).equals(hosts), hosts);
    } catch (Hostlist.SyntaxException refused) {
      Scratch.check(refused.index() >= 0, refused);
    }
  }
}
