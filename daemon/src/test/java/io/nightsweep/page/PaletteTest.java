package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contrasts of the page's colours (WCAG 2.1, 1.4.3 and 1.4.11); axe checks only those of texts. */
@Tag("page")
class PaletteTest {
  private static final double OF_TEXT = 4.5;
  private static final double OF_GRAPHICS = 3;

  private static final Pattern COLOUR = Pattern.compile("--([a-z0-9-]+): #([0-9a-f]{6});");

  @ParameterizedTest
  @ValueSource(
      strings = {":root {", "@media (prefers-color-scheme: dark)", ":root[data-theme=\"dark\"]"})
  void everyColourStandsOutFromWhatIsBehindIt(String from) throws Exception {
    String css = Assets.find("page.css").orElseThrow().text();
    int start = css.indexOf(from);
    assertThat(start).isNotNegative();
    Map<String, String> colours = new TreeMap<>();
    Matcher m = COLOUR.matcher(css.substring(start, css.indexOf("; }", start) + 3));
    while (m.find()) {
      colours.put(m.group(1), m.group(2));
    }
    assertThat(colours).hasSizeGreaterThan(12);
    colours.forEach(
        (name, colour) -> {
          double wanted =
              name.startsWith("part-") || name.equals("band-edge") || name.equals("focus")
                  ? OF_GRAPHICS
                  : OF_TEXT;
          if (!name.matches("paper|sheet|grid")) {
            for (String behind : new String[] {"paper", "sheet"}) {
              assertThat(contrast(colour, colours.getOrDefault(behind, "")))
                  .as("%s on %s", name, behind)
                  .isGreaterThanOrEqualTo(wanted);
            }
          }
        });
  }

  private static double contrast(String one, String other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(String colour) {
    double[] weights = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      double part = Integer.parseInt(colour.substring(2 * i, 2 * i + 2), 16) / 255.0;
      sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  }
}
