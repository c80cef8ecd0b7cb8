package io.nightsweep.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Recognises files that are no text to this program, and says how they become one. */
final class ForeignForms {
  private static final int MAGIC_BYTES = 4;

  private static final String UTF_16 =
      "it is UTF-16; try: iconv -f UTF-16 -t UTF-8 %s | nightsweep triage -";

  /** By the first bytes in hexadecimal; {@code %s} is the file. */
  private static final Map<String, String> FORMS =
      Map.of(
          "fffe", UTF_16,
          "feff", UTF_16,
          "425a683", "it is packed by bzip2; try: bzip2 -dc %s | nightsweep triage -",
          "504b0304", "it is a zip archive; try: unzip -p %s | nightsweep triage -",
          "7f454c46", "it is a program or a core dump and no log");

  private ForeignForms() {}

  /** Why the file cannot be read as text; empty if it can, or is no regular file. */
  static Optional<String> of(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      String magic = HexFormat.of().formatHex(in.readNBytes(MAGIC_BYTES));
      return FORMS.entrySet().stream()
          .filter(form -> magic.startsWith(form.getKey()))
          .map(form -> form.getValue().formatted(file))
          .findFirst();
    }
  }
}
