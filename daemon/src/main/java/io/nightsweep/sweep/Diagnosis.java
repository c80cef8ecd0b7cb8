package io.nightsweep.sweep;

import java.util.List;

/**
 * The meaning of an attempt's end.
 *
 * @param failureClass an id of the playbook, such as {@code rccl-init-flake}
 * @param confidence 0 to 1
 * @param quotes the log lines that support it
 * @param detail for people
 * @param subjects what a remedy acts on: unknown flags, failing nodes
 */
public record Diagnosis(
    String failureClass,
    double confidence,
    List<Quote> quotes,
    Statement detail,
    List<String> subjects) {

  /** A line of a log; {@code line} counts from 1. */
  public record Quote(String file, long line, String text) {}

  public Diagnosis {
    quotes = List.copyOf(quotes);
    subjects = List.copyOf(subjects);
  }
}
