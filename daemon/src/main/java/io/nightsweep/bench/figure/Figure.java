package io.nightsweep.bench.figure;

import java.nio.ByteBuffer;

/** A picture; {@code name} is its file's. */
public record Figure(String name, String title, ByteBuffer png) {
  static Figure of(String name, String title, byte[] png) {
    return new Figure(name.replaceAll("[^A-Za-z0-9._-]+", "-"), title, ByteBuffer.wrap(png));
  }

  /** Relative to the bundle. */
  public String path() {
    return "figures/" + name + ".png";
  }
}
