/** Where a language model answers: its settings' dialect of HTTP, time limits, proxy and trust. */
@NullMarked
package io.nightsweep.endpoint;

import org.jspecify.annotations.NullMarked;
