/** The command line: a thin layer. */
@NullMarked
package io.nightsweep.cli;

import org.jspecify.annotations.NullMarked;
