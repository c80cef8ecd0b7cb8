/** The meaning of an attempt's end: pure rules over a playbook, separate from the log scanner. */
@NullMarked
package io.nightsweep.triage;

import org.jspecify.annotations.NullMarked;
