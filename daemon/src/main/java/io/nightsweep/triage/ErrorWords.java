package io.nightsweep.triage;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;

/**
 * What an error line says: its text without quoted settings and folders of files, which show what
 * the job was given and where files are, but not what the job died of.
 */
final class ErrorWords {
  /** Settings quoted in a line: an option with its value, or an assignment in quotes. */
  private static final Pattern SETTING =
      Pattern.compile("--[A-Za-z][\\w.-]*(?:=[^\\s'\"]*)?|'[\\w.+/-]+=[^']*'");

  /** The folders of a file. */
  private static final Pattern FOLDERS =
      Pattern.compile("(?:^|[\\s'\"(=\\[`,])(/(?:[\\w.@+-]+/)+)");

  /**
   * Paths below these belong to the kernel, not to a user; they describe the fault and are kept.
   */
  private static final List<String> KERNELS_FOLDERS = List.of("/dev/", "/sys/", "/proc/");

  private ErrorWords() {}

  static String of(String error) {
    String line = SETTING.matcher(error).replaceAll("--_");
    StringBuilder said = new StringBuilder(line.length());
    Matcher m = FOLDERS.matcher(line);
    int at = 0;
    while (m.find()) {
      if (KERNELS_FOLDERS.stream().noneMatch(m.group(1)::startsWith)) {
        said.append(line, at, m.start(1)).append("/_/");
        at = m.end(1);
      }
    }
    return said.append(line, at, line.length()).toString();
  }
}
