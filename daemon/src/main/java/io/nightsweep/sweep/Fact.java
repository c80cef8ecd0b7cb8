package io.nightsweep.sweep;

/**
 * Something that held when a sweep began, and that a reader of its report looks for.
 *
 * @param name such as {@code image}, or a setting's own name
 * @param value as it stood in its file
 * @param headline whether it is told at the top of the report; else among the inventory
 */
public record Fact(String name, String value, boolean headline) {}
