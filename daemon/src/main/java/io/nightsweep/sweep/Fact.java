package io.nightsweep.sweep;

/**
 * A fact from the beginning of a sweep that readers of its report look for.
 *
 * @param name such as {@code image}, or a setting's own name
 * @param value as it stood in its file
 * @param headline whether it is shown at the top of the report rather than in the inventory
 */
public record Fact(String name, String value, boolean headline) {}
