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

  /** The type of a product of two matrices: fp8 holds too few digits for one. */
  public static String ofProduct(String dtype) {
    return dtype.equals("fp8") ? "bf16" : dtype;
  }
}
