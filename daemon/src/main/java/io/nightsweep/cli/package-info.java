/** The command line, thin. */
@NullMarked
package io.nightsweep.cli;

import org.jspecify.annotations.NullMarked;
