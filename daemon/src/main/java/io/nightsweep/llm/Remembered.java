package io.nightsweep.llm;

import java.util.SortedMap;

/**
 * A hypothesis of an earlier night that was refuted.
 *
 * @param model the trained model
 * @param versions for which it holds, by name
 * @param settings what the profile set, as people read it
 * @param gainPercent what was measured; NaN where its runs failed
 */
public record Remembered(
    String model,
    String parallelism,
    SortedMap<String, String> versions,
    String settings,
    String mechanism,
    double gainPercent) {}
