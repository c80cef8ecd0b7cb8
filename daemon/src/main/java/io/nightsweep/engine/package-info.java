/**
 * The imperative shell: one single-threaded tick that carries decisions out and journals what came
 * of them.
 */
@NullMarked
package io.nightsweep.engine;

import org.jspecify.annotations.NullMarked;
