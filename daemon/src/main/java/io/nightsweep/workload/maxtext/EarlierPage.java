package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings named in the repository's {@code <model>-tuning.md}: a starting point of the sweep,
 * written by people or by an earlier sweep (procedure: inventory). Settings reported with a loss
 * are left out; a line is judged by its figures and words, English and Chinese, and by its heading.
 * Of a sweep's own section only the winner and the patch count, since it lists everything that was
 * tried.
 *
 * @param settings flags and variables with their values, such as {@code NCCL_PROTO=LL}, with a
 *     reported gain or at least without a reported loss
 */
record EarlierPage(Path file, Set<String> settings) {
  /** A larger file is not a page of notes and is skipped. */
  private static final long MOST_BYTES = 4L << 20;

  private static final int MOST_SETTINGS = 200;

  private static final Pattern SETTING =
      Pattern.compile(
          "(?:--xla_[A-Za-z0-9_]{1,100}|\\b(?:NCCL|RCCL|XLA_PYTHON)_[A-Z0-9_]{1,60})=[A-Za-z0-9_.:/+-]{0,99}[A-Za-z0-9_]");

  private static final Pattern MORE = Pattern.compile("\\+ ?[0-9]+(?:[.,][0-9]+)? ?%");
  private static final Pattern LESS =
      Pattern.compile("(?<![0-9.%]) ?[-\u2212\u2013] ?[0-9]+(?:[.,][0-9]+)? ?%");

  /** Words for a failure, which count even beside a good figure. */
  private static final Pattern BROKEN =
      Pattern.compile(
          "(?i)\\b(?:oom|out of memory|nan|hangs?|hung|crash\\w*|fail\\w*|diverge\\w*|unsafe|unsupported)\\b"
              + "|内存不足|显存不足|内存溢出|挂起|卡死|崩溃|失败|发散|不支持");

  private static final Pattern WORSE =
      Pattern.compile(
          "(?i)\\b(?:loss|loses|lost|losers?|worse|worst|slower|regress\\w*|hurts?|costs|negatives?|neutral|dropped"
              + "|no gain|no effect|avoid|never|do not|don.t)\\b"
              + "|更慢|变慢|较慢|更差|变差|退步|有害|负面|无效|没有提升|看不到|不要|避免");

  private static final Pattern OWN = Pattern.compile("<!-- nightsweep:(begin|edited|end) .*-->");

  private enum LineMeaning {
    GAIN,
    LOSS,
    NOTHING,
    /** A line that recommends nothing. */
    UNREAD
  }

  EarlierPage {
    settings = Set.copyOf(settings);
  }

  /** Empty where the repository has no readable page. */
  static Optional<EarlierPage> of(SweepSpec spec) {
    Path file = MaxTextSettings.of(spec).checkout().resolve(spec.cell().model() + "-tuning.md");
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
        return Optional.empty();
      }
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return Optional.of(new EarlierPage(file, startingPoints(text)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Set<String> startingPoints(String text) {
    Set<String> gained = new TreeSet<>();
    Set<String> lost = new TreeSet<>();
    Set<String> named = new TreeSet<>();
    boolean isOwn = false;
    boolean isPatch = false;
    boolean isOfLosses = false;
    for (String line : text.lines().toList()) {
      Matcher mark = OWN.matcher(line);
      if (mark.matches()) {
        isOwn = !mark.group(1).equals("end");
        isPatch = false;
        isOfLosses = false;
      } else if (line.startsWith("```")) {
        isPatch = line.startsWith("```bash");
      } else if (line.startsWith("#") && !isPatch) {
        isOfLosses = isBad(line);
      }
      LineMeaning told = isOwn ? ofASweep(line, isPatch) : ofPeople(line, isOfLosses);
      if (told != LineMeaning.UNREAD) {
        Set<String> into =
            told == LineMeaning.GAIN ? gained : told == LineMeaning.LOSS ? lost : named;
        SETTING.matcher(line).results().forEach(setting -> into.add(setting.group()));
      }
    }
    named.removeAll(lost);
    named.addAll(gained);
    return named.stream().limit(MOST_SETTINGS).collect(Collectors.toSet());
  }

  private static LineMeaning ofASweep(String line, boolean isPatch) {
    return isPatch || line.startsWith("| \u2b50 ") ? LineMeaning.GAIN : LineMeaning.UNREAD;
  }

  private static LineMeaning ofPeople(String line, boolean isUnderLosses) {
    boolean more = MORE.matcher(line).find();
    boolean less = LESS.matcher(line).find();
    if (BROKEN.matcher(line).find() || (less && !more)) {
      return LineMeaning.LOSS;
    }
    if (more) {
      return less ? LineMeaning.NOTHING : LineMeaning.GAIN;
    }
    return isUnderLosses || isBad(line) ? LineMeaning.LOSS : LineMeaning.NOTHING;
  }

  private static boolean isBad(String line) {
    return BROKEN.matcher(line).find() || WORSE.matcher(line).find();
  }
}
