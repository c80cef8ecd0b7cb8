package io.nightsweep.report;

import io.nightsweep.files.Masking;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** A white canvas with a title. */
public final class Canvas {
  private static final Color INK = new Color(0x222222);

  private final BufferedImage image;
  private final Graphics2D g;

  public Canvas(int width, int height, String title) {
    image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    g = image.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, width, height);
    g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    g.setColor(INK);
    g.drawString(shown(title), 12, 30);
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
  }

  /** Whether a font of this machine has all characters of the text. */
  static boolean canShow(String text) {
    return new Font(Font.SANS_SERIF, Font.PLAIN, 12).canDisplayUpTo(text) < 0;
  }

  /**
   * The text for a picture, with secrets masked: a text search would not find them in the image
   * later.
   */
  public static String shown(String text) {
    return Masking.of(text);
  }

  public void line(double x1, double y1, double x2, double y2, Color color, int width) {
    g.setColor(color);
    g.setStroke(new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    g.draw(new Line2D.Double(x1, y1, x2, y2));
  }

  public void dot(double x, double y, Color color) {
    g.setColor(color);
    g.fill(new Ellipse2D.Double(x - 5, y - 5, 10, 10));
  }

  public void bar(double x, double y, double width, double height, Color color) {
    g.setColor(color);
    g.fill(new Rectangle2D.Double(x, y, width, height));
  }

  public void text(String text, double x, double y, Color color) {
    g.setColor(color);
    g.drawString(shown(text), (float) x, (float) y);
  }

  public byte[] png() throws IOException {
    g.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }
}
