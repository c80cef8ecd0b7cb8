package io.nightsweep.endpoint;

import io.nightsweep.sweep.LlmTerms;

/** A language model with its terms of use. */
public record LlmSeat(LlmTerms terms, LanguageModel model) {}
