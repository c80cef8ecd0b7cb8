/**
 * The seat of an assistant: tools over the Model Context Protocol, each of which runs one of
 * Nightsweep's own commands, within the scope that a person granted.
 */
@NullMarked
package io.nightsweep.agent;

import org.jspecify.annotations.NullMarked;
