package io.nightsweep.plan;

import io.nightsweep.fuzz.Scratch;
import java.nio.file.Files;
import java.nio.file.Path;

/** A playbook of any bytes is read or refused. */
public final class PlaybookFuzz {
  private PlaybookFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Path folder = Files.createDirectories(Scratch.folder().resolve("playbooks"));
    Files.write(folder.resolve("own.yaml"), input);
    try {
      new Playbooks(Resources.beside(Scratch.folder().resolve("sweep.yaml"))).read("own");
    } catch (InvalidInputException refused) {
      Scratch.check(!String.valueOf(refused.getMessage()).isBlank(), refused);
    }
  }
}
