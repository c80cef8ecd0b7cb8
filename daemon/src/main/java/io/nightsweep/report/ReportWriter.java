package io.nightsweep.report;

import io.nightsweep.files.BoundedLock;
import io.nightsweep.files.OwnFile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Deployment.Recipe;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.codec.digest.DigestUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a sweep's report in both languages, its charts, {@code tuning.json} and the proposed
 * patch; each file whole or not at all.
 */
public final class ReportWriter {
  /** The languages of a report. */
  public enum Language {
    EN,
    ZH
  }

  private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(5);
  private static final String IN_PROGRESS = ",in-progress";
  private static final String FIGURES = "tuning.json";

  /** File systems hold 255 bytes, of which a suffix and a temporary file's name take theirs. */
  private static final int LONGEST_NAME = 100;

  /** Others may write where the model's pages lie, and a daemon has 192 MiB for all its sweeps. */
  static final int MOST_OF_A_PAGE = 8 << 20;

  private static final int MOST_OF_FIGURES = 2 << 20;

  /** The folder beside a sweep's own pages, as their pictures name it. */
  static final String CHARTS = "charts";

  private ReportWriter() {}

  /** The sweep's own files alone. */
  public static void write(Path directory, SweepState s) throws IOException {
    write(directory, s.withoutValidations(), List.of());
    validation(directory, s);
  }

  /**
   * The sweep's own pages, and the model's: there each cell has a marked section of its own, and
   * what stands outside of it is kept byte by byte.
   *
   * @param shared one directory for all sweeps; by its figures of the model, sign flips are seen
   */
  public static void write(Path directory, Path shared, SweepState state) throws IOException {
    SweepState s = state.withoutValidations();
    Files.createDirectories(shared);
    Path lock = shared.resolve("." + model(s) + ".lock");
    // Sweeps of one daemon write from their own threads, and the command line from its own process.
    synchronized (ReportWriter.class) {
      Closeable held;
      try {
        held = lock(lock);
      } catch (BoundedLock.HeldException e) {
        // The sweep's own pages are written all the same: the lock is for what several sweeps
        // write.
        write(directory, s, others(known(shared, s), s));
        throw e;
      }
      try {
        extend(directory, shared, s);
      } finally {
        held.close();
      }
    }
    validation(directory, state);
  }

  /**
   * Puts the model's pages, their charts and the patch into a folder of people's own. A page that
   * stands there is extended as the model's own page is, a patch that is not this daemon's stays
   * (see {@link DeliveredPatch}), and nothing else of the folder is touched.
   *
   * @param directory the sweep's own, where its report is written already
   * @param shared where the model's figures are
   */
  public static void deliver(Path directory, Path shared, Path folder, SweepState state)
      throws IOException {
    SweepState s = state.withoutValidations();
    synchronized (ReportWriter.class) {
      String known = known(shared, s);
      if (TuningFile.keeps(s, known)) {
        progress(folder, s);
      } else if (!TuningFile.isOutdated(s, known)) {
        publish(directory, folder, s);
        deliverPatch(folder, s, others(known, s));
      }
    }
  }

  private static void deliverPatch(Path folder, SweepState s, List<OtherCell> others)
      throws IOException {
    List<Recipe> recipes = DeploymentSection.recipes(s, others);
    Set<String> known = new TreeSet<>();
    for (OtherCell other : others) {
      known.add(DeliveredPatch.cell(other.parallelism(), other.configTag()));
      other.cells().forEach(c -> known.add(DeliveredPatch.cell(c.parallelism(), c.configTag())));
    }
    s.spec()
        .configTags()
        .forEach(tag -> known.add(DeliveredPatch.cell(s.cell().parallelism(), tag.name())));
    DeliveredPatch.put(patch(folder, s), DeploymentSection.patch(s, others), recipes, known);
    DeliveredPatch.put(top(folder, s), DeploymentSection.top(s, others), recipes, known);
  }

  /** Some shared filesystems have no locks; then only the sweeps of one daemon keep apart. */
  private static Closeable lock(Path file) throws IOException {
    try {
      return BoundedLock.acquire(file, LOCK_PATIENCE);
    } catch (BoundedLock.HeldException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + file + " was locked");
    } catch (IOException e) {
      log.info("no lock for the model's pages: {}", e.toString());
      return () -> {};
    }
  }

  private static void extend(Path directory, Path shared, SweepState s) throws IOException {
    String known;
    try {
      known = known(shared, s);
    } catch (IOException e) {
      write(directory, s, List.of());
      throw e;
    }
    List<OtherCell> others = others(known, s);
    write(directory, s, others);
    if (TuningFile.isOutdated(s, known)) {
      return;
    }
    if (TuningFile.keeps(s, known)) {
      progress(shared, s);
      return;
    }
    publish(directory, shared, s);
    if (TuningFile.isOurs(known)) {
      replace(figures(shared, s.cell().model()), TuningFile.with(s, known));
    }
    patch(shared, s, others);
  }

  private static String known(Path shared, SweepState s) throws IOException {
    return known(figures(shared, s.cell().model()));
  }

  /** The figures that stand in the file; nothing where there is none. */
  static String known(Path figures) throws IOException {
    return new String(bytes(figures, MOST_OF_FIGURES), StandardCharsets.UTF_8);
  }

  private static List<OtherCell> others(String known, SweepState s) {
    return TuningFile.read(known).stream()
        .filter(cell -> !cell.is(s.cell().parallelism(), s.spec().primaryTag().name()))
        .toList();
  }

  /** The sweep's section on the model's page of each language, and its charts beside them. */
  private static void publish(Path directory, Path shared, SweepState s) throws IOException {
    String cell = cell(s);
    String folder = model(s) + "-charts/" + slug(cell);
    Files.createDirectories(shared.resolve(folder));
    try (DirectoryStream<Path> charts =
        Files.newDirectoryStream(directory.resolve(CHARTS), "*.png")) {
      for (Path chart : charts) {
        replace(shared.resolve(folder).resolve(chart.getFileName()), Files.readAllBytes(chart));
      }
    }
    for (Phrases language : Phrases.values()) {
      Path page = page(shared, s, language);
      String section =
          Files.readString(page(directory, s, language))
              .replace("](" + CHARTS + "/", "](" + folder + "/");
      byte[] before = bytes(page, MOST_OF_A_PAGE);
      replace(
          page,
          MarkedSections.put(MarkedSections.without(before, cell + IN_PROGRESS), cell, section));
    }
  }

  /**
   * Says beside an earlier sweep's section that this one is under way. The recipe that people may
   * have deployed stays on the page until there is a conclusion to replace it with.
   */
  private static void progress(Path shared, SweepState s) throws IOException {
    for (Phrases language : Phrases.values()) {
      Path page = page(shared, s, language);
      byte[] before = bytes(page, MOST_OF_A_PAGE);
      replace(
          page,
          MarkedSections.put(before, cell(s) + IN_PROGRESS, TuningReport.progress(s, language)));
    }
  }

  private static String cell(SweepState s) {
    return s.cell().parallelism() + "," + s.spec().primaryTag().name();
  }

  /** The file with the figures of all cells of a model. */
  static Path figures(Path shared, String model) {
    return shared.resolve(name(model) + "-" + FIGURES);
  }

  /**
   * Runs on real data, which people ask for after the sweep, are reported on a page of their own.
   */
  private static void validation(Path directory, SweepState s) throws IOException {
    if (!s.validations().isEmpty()) {
      for (Phrases language : Phrases.values()) {
        replace(
            directory.resolve(ValidationReport.file(language)),
            ValidationReport.of(s, language).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static void write(Path directory, SweepState s, List<OtherCell> others)
      throws IOException {
    Files.createDirectories(directory.resolve(CHARTS));
    for (Phrases language : Phrases.values()) {
      List<Charts.Chart> charts = Charts.of(s, language);
      for (Charts.Chart chart : charts) {
        replace(directory.resolve(CHARTS).resolve(chart.file()), chart.png().array());
      }
      replace(
          page(directory, s, language),
          TuningReport.of(s, charts, language, others).getBytes(StandardCharsets.UTF_8));
    }
    replace(directory.resolve(FIGURES), TuningFile.with(s, ""));
    patch(directory, s, others);
  }

  /** The page of a sweep. */
  public static Path page(Path directory, SweepState s) {
    return page(directory, s, Phrases.EN);
  }

  /** The proposed patch, once there is one. */
  public static Path patch(Path directory, SweepState s) {
    return directory.resolve(model(s) + "-tuning.env.sh");
  }

  /** The page in one language. */
  public static Path page(Path directory, SweepState s, Language language) {
    return page(
        directory,
        s,
        switch (language) {
          case EN -> Phrases.EN;
          case ZH -> Phrases.ZH;
        });
  }

  static Path page(Path directory, SweepState s, Phrases language) {
    return directory.resolve(model(s) + "-tuning" + language.suffix() + ".md");
  }

  private static void patch(Path directory, SweepState s, List<OtherCell> others)
      throws IOException {
    put(patch(directory, s), DeploymentSection.patch(s, others));
    put(top(directory, s), DeploymentSection.top(s, others));
  }

  private static Path top(Path directory, SweepState s) {
    return directory.resolve(model(s) + "-tuning.env-top.sh");
  }

  private static void put(Path file, Optional<String> text) throws IOException {
    if (text.isPresent()) {
      replace(file, text.get().getBytes(StandardCharsets.UTF_8));
    } else {
      Files.deleteIfExists(file);
    }
  }

  private static String model(SweepState s) {
    return name(s.cell().model());
  }

  /** A model's files are named after it; a digest tells those apart that would be named alike. */
  private static String name(String model) {
    String slug = slug(model);
    String name = slug.substring(0, Math.min(slug.length(), LONGEST_NAME));
    return name.equals(model) ? name : name + "-" + DigestUtils.sha256Hex(model).substring(0, 8);
  }

  private static String slug(String name) {
    return name.replaceAll("[^A-Za-z0-9._=-]+", "-");
  }

  /** A page that is a link into somebody's repository stays one. */
  private static void replace(Path link, byte[] bytes) throws IOException {
    Path file = Files.isSymbolicLink(link) && Files.exists(link) ? link.toRealPath() : link;
    OwnFile.writeShared(file, bytes);
  }

  /** Nothing where no file stands, or a pipe, whose reader would wait. */
  private static byte[] bytes(Path file, int most) throws IOException {
    if (!Files.isRegularFile(file)) {
      return new byte[0];
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new IOException(file + " has more than " + (most >> 20) + " MiB");
      }
      return bytes;
    }
  }

  /** The sweep's cell on one line of JSON, an element of {@code cells} in {@code tuning.json}. */
  public static String figures(SweepState s) {
    return TuningFile.cell(s).toString();
  }
}
