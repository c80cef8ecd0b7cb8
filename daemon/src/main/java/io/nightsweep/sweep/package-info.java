/** The model: what a sweep is, what can happen to it, and the fold of what has happened. Pure. */
@NullMarked
package io.nightsweep.sweep;

import org.jspecify.annotations.NullMarked;
