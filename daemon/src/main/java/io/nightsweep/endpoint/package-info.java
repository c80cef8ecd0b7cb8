/** The connection to a language model: its dialect of HTTP, time limits, proxy and certificates. */
@NullMarked
package io.nightsweep.endpoint;

import org.jspecify.annotations.NullMarked;
