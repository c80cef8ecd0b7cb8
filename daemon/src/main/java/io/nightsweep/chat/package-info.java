/**
 * Telegram: what people are told, in which words and when, and what they may say back. It knows
 * sweeps through a port alone, and has threads of its own: a dead Telegram delays no decision.
 */
@NullMarked
package io.nightsweep.chat;

import org.jspecify.annotations.NullMarked;
