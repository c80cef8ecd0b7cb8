package io.nightsweep.report;

import io.nightsweep.files.OwnFile;
import io.nightsweep.workload.Deployment.Recipe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The patch in a folder that other people and daemons also write to. Its last line names the cells
 * of its recipes and has a hash of the lines before. The file is left alone if it lacks such a
 * line, was edited, or has recipes of cells unknown to this daemon; the new patch is then written
 * beside it under another name.
 */
final class DeliveredPatch {
  private static final Logger log = LoggerFactory.getLogger(DeliveredPatch.class);

  private static final Pattern SIGNED =
      Pattern.compile("(?s)(.*\n)# nightsweep:written ([0-9a-f]{16}) with ([A-Za-z0-9=,._ -]*)\n");

  private DeliveredPatch() {}

  /** The name of a parallelism and config tag, such as {@code PP=8,sparse}. */
  static String cell(String parallelism, String configTag) {
    return (parallelism + "," + configTag).replaceAll("[^A-Za-z0-9=,._-]+", "_");
  }

  /**
   * Writes the patch, or removes it if there is none.
   *
   * @param file such as {@code <model>-tuning.env.sh}
   * @param recipes in the text
   * @param known all cells of which this daemon would include a recipe
   */
  static void put(Path file, Optional<String> text, Collection<Recipe> recipes, Set<String> known)
      throws IOException {
    Optional<String> signed = text.map(t -> signed(t, recipes));
    Path beside = beside(file);
    if (mayReplace(file, known)) {
      replace(file, signed);
      if (mayReplace(beside, known)) {
        Files.deleteIfExists(beside);
      }
    } else if (mayReplace(beside, known)) {
      replace(beside, signed);
    } else {
      log.warn("{} and {} belong to somebody: no patch is put there", file, beside);
    }
  }

  private static void replace(Path file, Optional<String> signed) throws IOException {
    if (signed.isPresent()) {
      Path real = Files.isSymbolicLink(file) && Files.exists(file) ? file.toRealPath() : file;
      OwnFile.writeShared(real, signed.get().getBytes(StandardCharsets.UTF_8));
    } else {
      Files.deleteIfExists(file);
    }
  }

  /** The other name: {@code ds-tuning.env.sh} becomes {@code ds-tuning.env.new.sh}. */
  private static Path beside(Path file) {
    return file.resolveSibling(
        String.valueOf(file.getFileName()).replaceFirst("(\\.sh)?$", ".new.sh"));
  }

  private static String signed(String text, Collection<Recipe> recipes) {
    String whole = text.endsWith("\n") ? text : text + "\n";
    String cells =
        recipes.stream()
            .map(r -> cell(r.parallelism(), r.configTag()))
            .collect(Collectors.toCollection(TreeSet::new))
            .stream()
            .collect(Collectors.joining(" "));
    return whole + "# nightsweep:written " + hash(whole) + " with " + cells + "\n";
  }

  /** Whether the file is absent, or was written here and contains only known cells. */
  private static boolean mayReplace(Path file, Set<String> known) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    if (!Files.isRegularFile(file) || Files.size(file) > ReportWriter.MOST_OF_A_PAGE) {
      return false;
    }
    Matcher m = SIGNED.matcher(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    return m.matches()
        && m.group(2).equals(hash(m.group(1)))
        && List.of(m.group(3).split(" ", -1)).stream()
            .filter(cell -> !cell.isEmpty())
            .allMatch(known::contains);
  }

  private static String hash(String text) {
    return DigestUtils.sha256Hex(text).substring(0, 16);
  }
}
