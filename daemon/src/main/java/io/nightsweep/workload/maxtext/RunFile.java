package io.nightsweep.workload.maxtext;

import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.OwnFile;
import io.nightsweep.measure.Window;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * How an attempt was submitted, as far as reading its log needs it; stored since the model's
 * configuration may be edited meanwhile.
 */
record RunFile(int steps, Window window, Optional<String> launcherCommit) {
  private static final String NAME = "run.properties";
  private static final int MOST_BYTES = 4096;
  private static final RunFile USUAL =
      new RunFile(15, new Window(Window.FIRST_WARM_STEP, 14), Optional.empty());

  void write(Path folder) throws IOException {
    Properties p = new Properties();
    p.setProperty("steps", Integer.toString(steps));
    p.setProperty("windowFrom", Integer.toString(window.from()));
    p.setProperty("windowTo", Integer.toString(window.to()));
    launcherCommit.ifPresent(commit -> p.setProperty("launcherCommit", commit));
    StringWriter text = new StringWriter();
    p.store(text, null);
    OwnFile.write(folder.resolve(NAME), text.toString());
  }

  static RunFile read(Path folder) {
    Properties p = new Properties();
    try {
      byte[] text = ForeignFile.read(folder.resolve(NAME), MOST_BYTES);
      p.load(new StringReader(new String(text, StandardCharsets.UTF_8)));
      return new RunFile(
          Integer.parseInt(p.getProperty("steps", "")),
          new Window(
              Integer.parseInt(p.getProperty("windowFrom", "")),
              Integer.parseInt(p.getProperty("windowTo", ""))),
          Optional.ofNullable(p.getProperty("launcherCommit")));
    } catch (IOException | IllegalArgumentException e) {
      return USUAL;
    }
  }
}
