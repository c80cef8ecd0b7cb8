package io.nightsweep.bench.figure;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A picture.
 *
 * @param name of its file, without the ending
 * @param type the file's ending
 */
public record Figure(String name, String title, String type, ByteBuffer content) {
  static Figure of(String name, String title, byte[] png) {
    return new Figure(plain(name), title, "png", ByteBuffer.wrap(png));
  }

  static Figure ofSvg(String name, String title, String svg) {
    return new Figure(
        plain(name), title, "svg", ByteBuffer.wrap(svg.getBytes(StandardCharsets.UTF_8)));
  }

  /** Path relative to the bundle. */
  public String path() {
    return "figures/" + name + "." + type;
  }

  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9._-]+", "-");
  }
}
