/** What an attempt's end means: pure rules over a playbook, and the log scanner apart from them. */
@NullMarked
package io.nightsweep.triage;

import org.jspecify.annotations.NullMarked;
