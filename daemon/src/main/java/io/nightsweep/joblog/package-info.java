/** What jobs write: one reader of their logs, and what a line and a rank are. */
@NullMarked
package io.nightsweep.joblog;

import org.jspecify.annotations.NullMarked;
