package io.nightsweep.bench.figure;

import io.nightsweep.report.Canvas;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A chart of lines over logarithmic axes. */
final class LineChart {
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x4d6a8a),
          new Color(0x1b7837),
          new Color(0xb2182b),
          new Color(0x8c6bb1),
          new Color(0xd08c00),
          new Color(0x35978f),
          new Color(0x777777),
          new Color(0xc51b7d),
          new Color(0x5e4fa2),
          new Color(0x8c510a),
          new Color(0x01665e),
          new Color(0x222222));

  /** More lines would need the same colours again and could not be distinguished. */
  static final int MOST = COLOURS.size();

  private final XYChart chart;
  private int count;

  LineChart(String title, String x, String y) {
    chart =
        new XYChartBuilder()
            .width(1000)
            .height(520)
            .title(Canvas.shown(title))
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
  }

  /** A line with a mark at each point; points are in order of {@code x}. */
  LineChart line(String name, double[] x, double[] y) {
    series(name, x, y, true, 1.6f, COLOURS.get(count++ % MOST));
    return this;
  }

  /** A thin line in the colour of the line before, without marks and without a legend entry. */
  LineChart beside(String name, double[] x, double[] y) {
    series(name, x, y, false, 0.8f, COLOURS.get((count - 1) % MOST)).setShowInLegend(false);
    return this;
  }

  /** A line without marks, in a colour of its own. */
  LineChart bare(String name, double[] x, double[] y) {
    series(name, x, y, false, 1.6f, COLOURS.get(count++ % MOST));
    return this;
  }

  /** Adds points without a line between them. */
  LineChart dots(String name, double[] x, double[] y) {
    series(name, x, y, true, 1, COLOURS.get(count++ % MOST))
        .setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    return this;
  }

  private XYSeries series(
      String name, double[] x, double[] y, boolean marked, float width, Color colour) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setLabel(Canvas.shown(name));
    series.setMarker(marked ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
    series.setMarkerColor(colour);
    series.setLineColor(colour);
    series.setLineStyle(new BasicStroke(width));
    return series;
  }

  byte[] png() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
    return out.toByteArray();
  }
}
