package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;

/** A night of the packed plan on two config tags with different effects. */
public final class ShippedWinner {
  private ShippedWinner() {}

  /** The packed sweep file with this parallelism. */
  public static SweepSpec spec(Path repository, String parallelism) throws Exception {
    return spec(repository, parallelism, 1);
  }

  public static SweepSpec spec(Path repository, String parallelism, int tags) throws Exception {
    return ShippedNights.spec(repository, parallelism, tags);
  }

  /**
   * A night with a sweep file that asks for delivery of its report to the repository.
   *
   * @param gains whether profiles have the published gains or none
   */
  public static SweepState delivering(Path repository, String parallelism, boolean gains, long seed)
      throws Exception {
    SweepSpec spec =
        ShippedNights.spec(
            repository,
            parallelism,
            1,
            text -> text.replace("# deliverReport: true", "deliverReport: true"));
    return new ShippedNights(parallelism, spec)
        .result(
            gains ? ShippedNights.Truth.PUBLISHED : ShippedNights.Truth.NOTHING,
            Faults.none(),
            seed)
        .state();
  }

  /**
   * @param effectThere the effect, on the second tag, of every profile that gains on the first, as
   *     a log gain
   */
  public static SweepState night(Path repository, double effectThere, long seed) throws Exception {
    ShippedNights nights = new ShippedNights(repository, "FSDP=8", 2);
    DrawnSurface first =
        new DrawnSurface(
            Published.responses("FSDP=8", nights.spec()), 1000, Weather.usual(0.008), seed);
    String primary = nights.spec().primaryTag().name();
    Surface surface =
        new AlteredSurface(first) {
          @Override
          public double effect(Profile profile, String configTag) {
            double effect = first.effect(profile, primary);
            return configTag.equals(primary) || effect <= 0 ? effect : effectThere;
          }
        };
    return new Night(nights.spec(), surface, Faults.none(), ShippedNights.JOB, seed).run().state();
  }
}
