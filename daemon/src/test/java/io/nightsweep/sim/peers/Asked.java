package io.nightsweep.sim.peers;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A peer in a separate process, which requests runs by lines that begin with "@". */
final class Asked implements AutoCloseable {
  private final Process process;
  private final BufferedReader questions;
  private final BufferedWriter answers;

  Asked(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
    questions =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    answers =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  /** The next request as words; other output is ignored. */
  String[] question() throws IOException {
    String line = questions.readLine();
    while (line != null && !line.startsWith("@")) {
      line = questions.readLine();
    }
    if (line == null) {
      throw new IOException("the peer is gone: " + process.info().commandLine().orElse(""));
    }
    return line.substring(1).split(" ", -1);
  }

  void tell(String line) throws IOException {
    answers.write(line);
    answers.newLine();
    answers.flush();
  }

  @Override
  public void close() throws IOException {
    answers.close();
    process.destroy();
  }
}
