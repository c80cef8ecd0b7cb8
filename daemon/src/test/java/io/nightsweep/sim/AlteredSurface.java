package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import java.util.SplittableRandom;

/**
 * A surface equal to another one except for what a subclass overrides; no job fails and none prints
 * steps.
 */
public abstract class AlteredSurface implements Surface {
  private final Surface like;

  protected AlteredSurface(Surface like) {
    this.like = like;
  }

  @Override
  public double effect(Profile profile, String configTag) {
    return like.effect(profile, configTag);
  }

  @Override
  public double baseline(String configTag) {
    return like.baseline(configTag);
  }

  @Override
  public double drift(double hours) {
    return like.drift(hours);
  }

  @Override
  public double noise(SplittableRandom random) {
    return like.noise(random);
  }
}
