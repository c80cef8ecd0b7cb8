package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code <model>-tuning.md} of the repository names: a starting point of the sweep, written by
 * people or by an earlier sweep (procedure: inventory).
 *
 * @param settings flags and variables with their values, such as {@code NCCL_PROTO=LL}
 */
record EarlierPage(Path file, Set<String> settings) {
  /** A larger file is not read: it is no page of notes. */
  private static final long MOST_BYTES = 4L << 20;

  private static final int MOST_SETTINGS = 200;

  private static final Pattern SETTING =
      Pattern.compile(
          "(?:--xla_[A-Za-z0-9_]{1,100}|\\b(?:NCCL|RCCL|XLA_PYTHON)_[A-Z0-9_]{1,60})=[A-Za-z0-9_.:/+-]{1,100}");

  EarlierPage {
    settings = Set.copyOf(settings);
  }

  /** Empty where the repository holds none, or none that can be read. */
  static Optional<EarlierPage> of(SweepSpec spec) {
    Path file = MaxTextSettings.of(spec).checkout().resolve(spec.cell().model() + "-tuning.md");
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
        return Optional.empty();
      }
      String text = new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.UTF_8);
      Set<String> settings = new TreeSet<>();
      Matcher m = SETTING.matcher(text);
      while (settings.size() < MOST_SETTINGS && m.find()) {
        settings.add(m.group());
      }
      return Optional.of(new EarlierPage(file, settings));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
