/** A command or batch script of the user's own, whose log is read by patterns of the sweep file. */
@NullMarked
package io.nightsweep.workload.command;

import org.jspecify.annotations.NullMarked;
