package io.nightsweep.sweep;

import java.util.List;

/**
 * What an attempt's end can mean.
 *
 * @param id such as {@code rccl-init-flake}
 * @param order of two classes whose signatures hold, the one of lower order is meant
 * @param signatures any of them
 * @param subjects patterns that find what a remedy acts on in the quoted lines: their first group,
 *     or all they match; every occurrence counts. Or {@link #HOST_OF_RANK}
 * @param figures patterns of lines whose first match is told along, such as a memory summary
 */
public record FailureClass(
    String id,
    String about,
    int order,
    List<Signature> signatures,
    List<String> subjects,
    List<String> figures) {
  /** As a subject: the host that the quoted line's rank runs on. */
  public static final String HOST_OF_RANK = "host-of-rank";

  public FailureClass {
    signatures = List.copyOf(signatures);
    subjects = List.copyOf(subjects);
    figures = List.copyOf(figures);
  }
}
