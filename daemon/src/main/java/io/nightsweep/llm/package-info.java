/**
 * A language model as an adviser: what it is told, how its answers are read, and how its hypotheses
 * turned out. Pure; the rules that make their own proposals are in {@code advisor}.
 */
@NullMarked
package io.nightsweep.llm;

import org.jspecify.annotations.NullMarked;
