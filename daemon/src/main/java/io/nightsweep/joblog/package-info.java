/** The output of jobs: a common reader of their logs, and the definitions of lines and ranks. */
@NullMarked
package io.nightsweep.joblog;

import org.jspecify.annotations.NullMarked;
