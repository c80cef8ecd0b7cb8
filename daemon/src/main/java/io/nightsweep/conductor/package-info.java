/** The one pure function that decides what a sweep does next. */
@NullMarked
package io.nightsweep.conductor;

import org.jspecify.annotations.NullMarked;
