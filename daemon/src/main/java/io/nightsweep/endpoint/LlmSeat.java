package io.nightsweep.endpoint;

import io.nightsweep.sweep.LlmTerms;

/** A language model with what it may do. */
public record LlmSeat(LlmTerms terms, LanguageModel model) {}
