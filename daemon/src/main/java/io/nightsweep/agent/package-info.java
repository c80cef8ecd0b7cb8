/**
 * Tools for an assistant over the Model Context Protocol. Each tool runs one of Nightsweep's own
 * commands, within the scope that a person granted.
 */
@NullMarked
package io.nightsweep.agent;

import org.jspecify.annotations.NullMarked;
