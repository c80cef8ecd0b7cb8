package io.nightsweep.sweep;

import java.util.List;

/**
 * A possible meaning of an attempt's end.
 *
 * @param id such as {@code rccl-init-flake}
 * @param order if the signatures of two classes hold, the class of lower order applies
 * @param signatures alternatives; the class holds if one of them does
 * @param subjects patterns that find what a remedy acts on in the quoted lines: their first group,
 *     or the whole match; every occurrence counts. Or {@link #HOST_OF_RANK}
 * @param figures patterns of lines for the diagnosis to include, such as a memory summary; the
 *     first match counts
 */
public record FailureClass(
    String id,
    String about,
    int order,
    List<Signature> signatures,
    List<String> subjects,
    List<String> figures) {
  /** As a subject: the host of the quoted line's rank. */
  public static final String HOST_OF_RANK = "host-of-rank";

  public FailureClass {
    signatures = List.copyOf(signatures);
    subjects = List.copyOf(subjects);
    figures = List.copyOf(figures);
  }
}
