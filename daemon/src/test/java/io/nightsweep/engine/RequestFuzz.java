package io.nightsweep.engine;

import io.nightsweep.fuzz.Scratch;

/** A line that a client of the socket sends is answered whatever it is. */
public final class RequestFuzz {
  private RequestFuzz() {}

  /** Called by the fuzzer, and with each sample that is kept. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Scratch.check(
        SocketServer.answer(input, request -> new Reply.Accepted()) != null, Scratch.text(input));
  }
}
