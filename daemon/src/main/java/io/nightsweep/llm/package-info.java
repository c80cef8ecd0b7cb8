/**
 * A language model as an adviser: what is told to it, how its answer is read, and what its
 * hypotheses were worth. Pure; the rules that propose by themselves are the room {@code advisor}.
 */
@NullMarked
package io.nightsweep.llm;

import org.jspecify.annotations.NullMarked;
