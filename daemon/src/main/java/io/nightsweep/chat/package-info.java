/**
 * Messages to people through Telegram and webhooks: what is sent, in which words and when, and
 * which commands people may send back. The room sees sweeps only through a port and has its own
 * threads: a dead Telegram delays no decision.
 */
@NullMarked
package io.nightsweep.chat;

import org.jspecify.annotations.NullMarked;
