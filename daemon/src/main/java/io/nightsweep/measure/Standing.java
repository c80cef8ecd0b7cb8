package io.nightsweep.measure;

import java.util.Optional;

/**
 * Where a profile stands.
 *
 * @param profile the profile
 * @param verdict what can be said at the sweep's level of error
 * @param estimate what all its runs show, chosen or not: for ranking, never for publication
 * @param expectedLogGain what was expected of it before it ran: 0, or of a stack what its parts
 *     have shown
 * @param posteriorLogGain the estimate, shrunk towards what was expected, since gains are rare
 * @param probabilityWorthwhile chance that the gain is at least the worthwhile one
 * @param promise chance that the gain is at least half the worthwhile one. The race ranks profiles
 *     by it, since the chance of the whole gain is one half for a gain that is exactly worthwhile
 * @param confirmation its fresh runs, if it came so far; {@code logGain} of a complete one is the
 *     gain to publish
 */
public record Standing(
    String profile,
    Verdict verdict,
    Estimate estimate,
    double expectedLogGain,
    double posteriorLogGain,
    double probabilityWorthwhile,
    double promise,
    Optional<Confirmation> confirmation) {}
