/**
 * Assistants' requests that a person must confirm: stored, shown, and carried out at most once
 * after a confirmation from the command line, the chat or the page.
 */
@NullMarked
package io.nightsweep.asked;

import org.jspecify.annotations.NullMarked;
