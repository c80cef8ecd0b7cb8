package io.nightsweep.evidence;

import java.util.ArrayList;
import java.util.List;

/** Parses sizes of HLO types such as {@code bf16[8,128]{1,0:T(8,128)}}, and tuples of them. */
final class HloShapes {
  private HloShapes() {}

  /**
   * @param leaves number of arrays in it
   */
  record Size(long bytes, int leaves) {
    Size plus(Size other) {
      return new Size(bytes + other.bytes, leaves + other.leaves);
    }
  }

  static Size size(String type) {
    String text = type.strip();
    if (text.startsWith("(")) {
      Size sum = new Size(0, 0);
      for (String element : elements(text)) {
        sum = sum.plus(size(element));
      }
      return sum;
    }
    int open = text.indexOf('[');
    int close = text.indexOf(']', open + 1);
    if (open < 0 || close < 0) {
      return new Size(0, 0);
    }
    String element = text.substring(comment(text), open).strip();
    double bits = bits(element);
    for (String dimension : text.substring(open + 1, close).split(",", -1)) {
      String digits = dimension.replace("<=", "").strip();
      if (!digits.isEmpty()) {
        bits *= digits.chars().allMatch(Character::isDigit) ? Double.parseDouble(digits) : 0;
      }
    }
    return new Size((long) Math.ceil(bits / 8), bits > 0 ? 1 : 0);
  }

  /**
   * The parts of a tuple's type; commas inside layouts, comments and nested tuples do not separate.
   */
  static List<String> elements(String tuple) {
    List<String> elements = new ArrayList<>();
    int depth = 0;
    int from = 1;
    for (int i = 0; i < tuple.length(); i++) {
      switch (tuple.charAt(i)) {
        case '(', '[', '{' -> depth++;
        case ')', ']', '}' -> {
          depth--;
          if (depth == 0) {
            if (i > from) {
              elements.add(tuple.substring(from, i));
            }
            return elements;
          }
        }
        case ',' -> {
          if (depth == 1) {
            elements.add(tuple.substring(from, i));
            from = i + 1;
          }
        }
        default -> {}
      }
    }
    return elements;
  }

  /**
   * The length of a comment: long tuples number every fifth element, {@code /*index=5*}{@code
   * /f32[]}.
   */
  private static int comment(String text) {
    return text.startsWith("/*") ? text.indexOf("*/") + 2 : 0;
  }

  /** Bits of one element; 0 for tokens and other types without data. */
  private static int bits(String type) {
    return switch (type) {
      case "pred", "s8", "u8" -> 8;
      case "s2", "u2" -> 2;
      case "s4", "u4", "f4e2m1fn" -> 4;
      case "s16", "u16", "f16", "bf16" -> 16;
      case "s32", "u32", "f32" -> 32;
      case "s64", "u64", "f64", "c64" -> 64;
      case "c128" -> 128;
      default -> type.startsWith("f8") ? 8 : 0;
    };
  }
}
