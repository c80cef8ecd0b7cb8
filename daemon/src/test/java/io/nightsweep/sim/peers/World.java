package io.nightsweep.sim.peers;

import io.nightsweep.sim.NoiseFamily;
import io.nightsweep.sim.Response;
import io.nightsweep.sim.Timing;
import io.nightsweep.sim.Weather;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/**
 * The conditions of all contestants.
 *
 * @param responses of every profile, in the order in which they are written
 * @param foundWithin a confirmed winner counts as found if its true log gain is at most this far
 *     below the best
 */
record World(
    String name,
    LinkedHashMap<String, Response> responses,
    Weather weather,
    Timing timing,
    int nodes,
    double foundWithin) {

  private static final double NOISE = 0.008;

  /** Forty profiles: one gains, seven lose, three run out of memory, the rest do nothing. */
  static World synthetic(double gain) {
    return synthetic("synthetic", gain, weatherOf(NOISE));
  }

  /** The same under worse noise. */
  static World under(NoiseFamily family, double gain) {
    return synthetic(family.toString(), gain, NoiseFamily.weather(NOISE, List.of(family)));
  }

  private static World synthetic(String name, double gain, Weather weather) {
    LinkedHashMap<String, Response> responses = new LinkedHashMap<>();
    for (int i = 1; i <= 40; i++) {
      Response response =
          i == 17
              ? new Response.Gain(Math.log1p(gain))
              : i % 13 == 0
                  ? new Response.Fails("oom-gpu", 0.35)
                  : i % 5 == 1 ? new Response.Gain(-0.008 * (i % 7)) : Response.NOTHING;
      responses.put("p" + i, response);
    }
    return new World(
        String.format(Locale.ROOT, "%s, one at %+.0f %%", name, 100 * gain),
        responses,
        weather,
        tenMinutes(),
        8,
        0.001);
  }

  static World replay(String name, LinkedHashMap<String, Response> responses, double noise) {
    return new World(
        String.format(Locale.ROOT, "%s at %.1f %% noise", name, 100 * noise),
        responses,
        weatherOf(noise),
        tenMinutes(),
        8,
        0.01);
  }

  List<String> profiles() {
    return List.copyOf(responses.keySet());
  }

  double gain(String profile) {
    return responses.getOrDefault(profile, Response.NOTHING) instanceof Response.Gain gain
        ? gain.logGain()
        : Double.NEGATIVE_INFINITY;
  }

  boolean isFound(String winner) {
    double best = responses.keySet().stream().mapToDouble(this::gain).max().orElse(0);
    return gain(winner) > 0 && gain(winner) >= best - foundWithin;
  }

  /** The drift of the published calibration, heavy tails, correlated steps. */
  private static Weather weatherOf(double noise) {
    return new Weather(noise, 4, 0.00245, 0.0006, noise / 2, 0.4);
  }

  private static Timing tenMinutes() {
    return Timing.of(Duration.ofMinutes(10));
  }
}
