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
 * patch. Each file is replaced atomically.
 */
public final class ReportWriter {
  public enum Language {
    EN,
    ZH
  }

  private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(5);
  private static final String IN_PROGRESS = ",in-progress";
  private static final String FIGURES = "tuning.json";

  /** File systems allow 255 bytes, minus those of a suffix and of a temporary file's name. */
  private static final int LONGEST_NAME = 100;

  /**
   * A limit, since others may write to the model's pages, and a daemon has 192 MiB for all its
   * sweeps.
   */
  static final int MOST_OF_A_PAGE = 8 << 20;

  private static final int MOST_OF_FIGURES = 2 << 20;

  /** The folder of charts beside a sweep's own pages. */
  static final String CHARTS = "charts";

  private ReportWriter() {}

  /** Writes only the sweep's own files. */
  public static void write(Path directory, SweepState s) throws IOException {
    write(directory, s.withoutValidations(), List.of());
    validation(directory, s);
  }

  /**
   * Writes the sweep's own pages and the model's. On the latter each cell has a marked section, and
   * all other bytes are preserved.
   *
   * @param shared one directory for all sweeps; its figures of the model show where signs flip
   */
  public static void write(Path directory, Path shared, SweepState state) throws IOException {
    SweepState s = state.withoutValidations();
    Files.createDirectories(shared);
    Path lock = shared.resolve("." + model(s) + ".lock");
    // One daemon's sweeps write from separate threads, and the command line from another process.
    synchronized (ReportWriter.class) {
      Closeable held;
      try {
        held = lock(lock);
      } catch (BoundedLock.HeldException e) {
        // The sweep's own pages need no lock, so they are written anyway.
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
   * Puts the model's pages, their charts and the patch into a folder that belongs to people. An
   * existing page gets a marked section, as the model's own page does; a patch that is not this
   * daemon's is left alone (see {@link DeliveredPatch}), as are all other files.
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

  /** Some shared filesystems have no locks; there, only sweeps of one daemon exclude each other. */
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

  /** The content of the file with the figures; empty where there is none. */
  static String known(Path figures) throws IOException {
    return new String(bytes(figures, MOST_OF_FIGURES), StandardCharsets.UTF_8);
  }

  private static List<OtherCell> others(String known, SweepState s) {
    return TuningFile.read(known).stream()
        .filter(cell -> !cell.is(s.cell().parallelism(), s.spec().primaryTag().name()))
        .toList();
  }

  /** Writes the sweep's section on the model's page in each language, with its charts. */
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
   * Adds a note beside an earlier sweep's section that this sweep is under way. The earlier recipe,
   * which people may have deployed, stays until this sweep has a conclusion.
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
   * Writes the report of the runs on real data, which people request after the sweep; it has its
   * own page.
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

  /** The sweep's English page. */
  public static Path page(Path directory, SweepState s) {
    return page(directory, s, Phrases.EN);
  }

  /** The proposed patch, once there is one. */
  public static Path patch(Path directory, SweepState s) {
    return directory.resolve(model(s) + "-tuning.env.sh");
  }

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

  /** The base of a model's file names; a digest distinguishes models with equal short names. */
  private static String name(String model) {
    String slug = slug(model);
    String name = slug.substring(0, Math.min(slug.length(), LONGEST_NAME));
    return name.equals(model) ? name : name + "-" + DigestUtils.sha256Hex(model).substring(0, 8);
  }

  private static String slug(String name) {
    return name.replaceAll("[^A-Za-z0-9._=-]+", "-");
  }

  /** Replaces the page; if it is a link, into a repository for instance, the link's target. */
  private static void replace(Path link, byte[] bytes) throws IOException {
    Path file = Files.isSymbolicLink(link) && Files.exists(link) ? link.toRealPath() : link;
    OwnFile.writeShared(file, bytes);
  }

  /** The file's bytes; empty where there is no regular file, since reading a pipe would block. */
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

  /** The sweep's cell as a line of JSON, an element of {@code cells} in {@code tuning.json}. */
  public static String figures(SweepState s) {
    return TuningFile.cell(s).toString();
  }
}
