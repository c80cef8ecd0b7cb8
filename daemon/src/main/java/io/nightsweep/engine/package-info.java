/**
 * The imperative shell: one single-threaded tick that carries out decisions and journals the
 * results.
 */
@NullMarked
package io.nightsweep.engine;

import org.jspecify.annotations.NullMarked;
