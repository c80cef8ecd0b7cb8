package io.nightsweep.triage;

import java.util.Optional;

/**
 * A log that somebody showed in a public thread, and what it means.
 *
 * @param family which program or failure it is about, such as {@code pyxis}
 * @param source the thread, such as {@code owner/repository#12}
 * @param root a part of the line that must be quoted first; empty where nothing failed
 * @param isHeldOut whether no pattern was written after the thread was read
 * @param sample the log, how its job ended, and the class it must get
 */
public record ThreadSample(
    String family, String source, Optional<String> root, boolean isHeldOut, Sample sample) {}
