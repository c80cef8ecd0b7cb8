package io.nightsweep.evidence;

import java.util.Locale;
import java.util.Optional;

/** The kinds of communication between devices, by their opcode in HLO. */
public enum CollectiveKind {
  ALL_GATHER,
  REDUCE_SCATTER,
  ALL_REDUCE,
  COLLECTIVE_PERMUTE,
  ALL_TO_ALL,
  RAGGED_ALL_TO_ALL,
  COLLECTIVE_BROADCAST,
  SEND,
  RECV,
  /** A communication kernel of unknown kind. */
  OTHER;

  /** The opcode, such as {@code all-gather}. */
  public String opcode() {
    return this == OTHER ? "collective" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<CollectiveKind> ofOpcode(String opcode) {
    return switch (opcode) {
      case "all-gather" -> Optional.of(ALL_GATHER);
      case "reduce-scatter" -> Optional.of(REDUCE_SCATTER);
      case "all-reduce" -> Optional.of(ALL_REDUCE);
      case "collective-permute" -> Optional.of(COLLECTIVE_PERMUTE);
      case "all-to-all" -> Optional.of(ALL_TO_ALL);
      case "ragged-all-to-all" -> Optional.of(RAGGED_ALL_TO_ALL);
      case "collective-broadcast" -> Optional.of(COLLECTIVE_BROADCAST);
      case "send" -> Optional.of(SEND);
      case "recv" -> Optional.of(RECV);
      default -> Optional.empty();
    };
  }

  /** The kind of a kernel of NCCL or RCCL, or of an instruction named after its opcode. */
  static Optional<CollectiveKind> ofEvent(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.contains("nccl") || lower.contains("rccl")) {
      return Optional.of(ofKernel(lower));
    }
    int end = 0;
    while (end < lower.length()
        && (Character.isLetter(lower.charAt(end)) || lower.charAt(end) == '-')) {
      end++;
    }
    String opcode = lower.substring(0, end);
    for (String suffix : new String[] {"-start", "-done"}) {
      if (opcode.endsWith(suffix)) {
        opcode = opcode.substring(0, opcode.length() - suffix.length());
      }
    }
    return ofOpcode(opcode);
  }

  private static CollectiveKind ofKernel(String lower) {
    if (lower.contains("allgather")) {
      return ALL_GATHER;
    }
    if (lower.contains("reducescatter")) {
      return REDUCE_SCATTER;
    }
    if (lower.contains("allreduce")) {
      return ALL_REDUCE;
    }
    if (lower.contains("alltoall")) {
      return ALL_TO_ALL;
    }
    return lower.contains("broadcast") ? COLLECTIVE_BROADCAST : OTHER;
  }
}
