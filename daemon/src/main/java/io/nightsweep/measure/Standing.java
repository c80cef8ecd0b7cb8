package io.nightsweep.measure;

import java.util.Optional;

/**
 * Where a profile stands.
 *
 * @param profile the profile
 * @param verdict what can be said at the sweep's level of error
 * @param estimate what all its runs show, chosen or not: for ranking, never for publication
 * @param posteriorLogGain that estimate, shrunk by how rare gains are
 * @param probabilityWorthwhile chance that the gain is at least the worthwhile one
 * @param promise chance that the gain is at least half the worthwhile one; the race goes by it, for
 *     a gain that is only just worthwhile would else count for a coin toss
 * @param confirmation its fresh runs, if it came so far; {@code logGain} of a complete one is the
 *     gain to publish
 */
public record Standing(
    String profile,
    Verdict verdict,
    Estimate estimate,
    double posteriorLogGain,
    double probabilityWorthwhile,
    double promise,
    Optional<Confirmation> confirmation) {}
