package io.nightsweep.measure;

import java.util.Optional;

/**
 * Where a profile stands.
 *
 * @param profile the profile
 * @param verdict what can be said at the sweep's level of error
 * @param estimate what all its runs show, including those that led to its choice: for ranking,
 *     never for publication
 * @param expectedLogGain what was expected before it ran: 0, or for a stack what its parts have
 *     shown
 * @param posteriorLogGain the estimate, shrunk towards the expectation, since gains are rare
 * @param probabilityWorthwhile chance that the gain is at least the worthwhile one
 * @param promise chance that the gain is at least half the worthwhile one. The race ranks profiles
 *     by it, since the chance of the whole gain is only one half for a gain that is exactly
 *     worthwhile
 * @param confirmation its fresh runs, if there are any; the {@code logGain} of a complete one is
 *     the gain to publish
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
