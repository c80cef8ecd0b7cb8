package io.nightsweep.cluster.slurm;

import io.nightsweep.fuzz.Scratch;

/** What Slurm's commands print is read whatever it is. */
public final class SlurmOutputFuzz {
  private SlurmOutputFuzz() {}

  /** Called by the fuzzer, and with each sample that is kept. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    String said = Scratch.text(input);
    int read =
        SlurmOutput.squeue(said).size()
            + SlurmOutput.sacct(said).size()
            + SlurmOutput.showJob(said).size()
            + SlurmOutput.sinfo(said).size();
    Scratch.check(read <= 4 * said.length() && SlurmOutput.submitted(said) != null, said);
  }
}
