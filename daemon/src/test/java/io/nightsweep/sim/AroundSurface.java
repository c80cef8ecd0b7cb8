package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import java.util.SplittableRandom;

/** A surface equal to another one except for what an implementation changes. */
interface AroundSurface extends Surface {
  Surface surface();

  @Override
  default double effect(Profile profile, String configTag) {
    return surface().effect(profile, configTag);
  }

  @Override
  default double baseline(String configTag) {
    return surface().baseline(configTag);
  }

  @Override
  default double drift(double hours) {
    return surface().drift(hours);
  }

  @Override
  default double noise(SplittableRandom random) {
    return surface().noise(random);
  }
}
