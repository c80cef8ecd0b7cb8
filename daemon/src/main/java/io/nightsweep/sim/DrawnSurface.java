package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Responses by profile name under one night's weather. A stack without its own response has the
 * combined response of its parts, and fails if one of them fails; any other profile without a
 * response has no effect. Responses are equal on all config tags.
 */
public final class DrawnSurface implements Surface {
  /** Steps 5 to 14, a training job's window without profiling. */
  static final int WINDOW_STEPS = 10;

  private final Map<String, Response> responses;
  private final double baseline;
  private final Weather weather;
  private final Wander wander;
  private final List<Disturbance.DisturbedNight> parts;

  /**
   * @param baseline the metric's value on a quiet cluster
   * @param seed of this night's drift
   */
  public DrawnSurface(
      Map<String, Response> responses, double baseline, Weather weather, long seed) {
    this.responses = Map.copyOf(responses);
    this.baseline = baseline;
    this.weather = weather;
    this.wander = new Wander(weather, seed);
    this.parts =
        IntStream.range(0, weather.parts().size())
            .mapToObj(i -> weather.parts().get(i).begin(seed * 31 + i))
            .toList();
  }

  @Override
  public double effect(Profile profile, String configTag) {
    return responsesOf(profile).stream()
        .mapToDouble(r -> r instanceof Response.Gain gain ? gain.logGain() : 0)
        .sum();
  }

  @Override
  public Optional<Response.Fails> failure(Profile profile, String configTag) {
    return responsesOf(profile).stream()
        .filter(r -> r instanceof Response.Fails)
        .map(Response.Fails.class::cast)
        .findFirst();
  }

  /**
   * The program's identity; jobs leave their programs' text only if some profile compiles to the
   * baseline's program.
   */
  @Override
  public Optional<String> program(Profile profile) {
    if (responses.values().stream().noneMatch(Response.Inert.class::isInstance)) {
      return Optional.empty();
    }
    List<String> parts = profile.parts().isEmpty() ? List.of(profile.name()) : profile.parts();
    List<String> acting =
        parts.stream()
            .filter(part -> !part.equals(Profile.BASELINE))
            .filter(part -> !(responses.get(part) instanceof Response.Inert))
            .toList();
    return Optional.of(acting.isEmpty() ? Profile.BASELINE : String.join("+", acting));
  }

  private List<Response> responsesOf(Profile profile) {
    Response own = responses.get(profile.name());
    return own != null
        ? List.of(own)
        : profile.parts().stream()
            .map(part -> responses.getOrDefault(part, Response.NOTHING))
            .toList();
  }

  @Override
  public double baseline(String configTag) {
    return baseline;
  }

  @Override
  public double drift(double hours) {
    return wander.at(hours);
  }

  @Override
  public double noise(SplittableRandom random) {
    return weather.draw(random, weather.meanVariance(WINDOW_STEPS));
  }

  @Override
  public double disturbance(SurfaceRun run, SplittableRandom random) {
    return parts.stream().mapToDouble(part -> part.of(run, random)).sum();
  }

  @Override
  public double[] steps(SplittableRandom random, int count) {
    return weather.stepDeviation() > 0 ? weather.steps(random, count) : new double[0];
  }
}
