package io.nightsweep.llm;

import java.util.SortedMap;

/**
 * A hypothesis that an earlier night refuted.
 *
 * @param model the trained model
 * @param versions the software versions for which the result holds, by name
 * @param settings what the profile set, in readable form
 * @param gainPercent the measured gain; NaN where its runs failed
 */
public record Remembered(
    String model,
    String parallelism,
    SortedMap<String, String> versions,
    String settings,
    String mechanism,
    double gainPercent) {}
