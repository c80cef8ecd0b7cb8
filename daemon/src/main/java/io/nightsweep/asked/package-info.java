/**
 * What assistants asked for and a person has to confirm: kept, shown, and carried out at most once
 * at a person's word, which may come by the command line, the chat or the page.
 */
@NullMarked
package io.nightsweep.asked;

import org.jspecify.annotations.NullMarked;
