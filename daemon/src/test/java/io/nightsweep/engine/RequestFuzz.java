package io.nightsweep.engine;

import io.nightsweep.fuzz.Scratch;

/** Every line that a client of the socket sends gets an answer. */
public final class RequestFuzz {
  private RequestFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Scratch.check(
        SocketServer.answer(input, request -> new Reply.Accepted()) != null, Scratch.text(input));
  }
}
