/** A user's own command or batch script; patterns of the sweep file read its log. */
@NullMarked
package io.nightsweep.workload.command;

import org.jspecify.annotations.NullMarked;
