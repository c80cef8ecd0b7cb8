package io.nightsweep.workload.kernels;

/** The element types of cases. */
public final class Dtypes {
  private Dtypes() {}

  /** Bytes of an element. */
  public static double width(String dtype) {
    return switch (dtype) {
      case "f64" -> 8;
      case "f16", "bf16" -> 2;
      case "fp8" -> 1;
      default -> 4;
    };
  }

  /** The element type of a matrix product's result: fp8 has too few digits for it. */
  public static String ofProduct(String dtype) {
    return dtype.equals("fp8") ? "bf16" : dtype;
  }
}
