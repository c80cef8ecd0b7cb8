package io.nightsweep.cluster.slurm;

import io.nightsweep.fuzz.Scratch;

/** Any output of Slurm's commands is read without failure. */
public final class SlurmOutputFuzz {
  private SlurmOutputFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
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
