package io.nightsweep.cli;

import io.nightsweep.cluster.Shell;
import io.nightsweep.engine.StateDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Completes the commands that texts tell people to type, by the options without which they would
 * reach another state folder or sweep. The texts come from rooms that know nothing of options.
 *
 * @param state the option with its value; empty for the default folder
 * @param sweep the option with its value; empty where only one sweep is possible
 */
record Typeable(String state, String sweep) {
  static final Typeable AS_IT_IS = new Typeable("", "");

  private static final String OF_A_SWEEP =
      "status|watch|pause|resume|stop|skip|add|budget|approve|deny|report|validate|explain|advise|page";

  private static final String OF_A_STATE =
      "demo|init|doctor|rehearse|start|schedule|serve|sweeps|clean|compare|bench|mcp|grant|confirm";

  private static final Pattern COMMAND =
      Pattern.compile(
          "\\bnightsweep (?:("
              + OF_A_SWEEP
              + ")|"
              + OF_A_STATE
              + ")\\b(?=((?:(?!nightsweep )[^'\"`;\\n])*))");

  /** For texts about all sweeps of the folder. */
  static Typeable in(StateDirectory directory) {
    return new Typeable(
        directory.equals(StateDirectory.resolve(Optional.empty(), System.getenv()))
            ? ""
            : " --state " + Shell.word(directory.root().toString()),
        "");
  }

  /** For texts about one sweep, which must be named if the folder has several. */
  static Typeable about(StateDirectory directory, String sweep) throws IOException {
    return directory.all().size() > 1 ? in(directory).about(sweep) : in(directory);
  }

  Typeable about(String named) {
    return new Typeable(state, " --sweep " + Shell.word(named));
  }

  String text(String text) {
    return COMMAND.matcher(text).replaceAll(m -> Matcher.quoteReplacement(completed(m)));
  }

  private String completed(MatchResult command) {
    String rest = command.group(2);
    boolean isOfASweep = command.group(1) != null;
    return command.group()
        + (rest.contains(" --state") ? "" : state)
        + (rest.contains(" --sweep") || !isOfASweep ? "" : sweep);
  }

  /** A writer that completes the commands in each line, except in JSON, which programs read. */
  PrintWriter before(PrintWriter out) {
    return equals(AS_IT_IS) ? out : new PrintWriter(new TypeableLines(out, this), true);
  }

  private static final class TypeableLines extends Writer {
    private final PrintWriter to;
    private final Typeable typeable;
    private final StringBuilder line = new StringBuilder();

    TypeableLines(PrintWriter to, Typeable typeable) {
      this.to = to;
      this.typeable = typeable;
    }

    @Override
    public void write(char[] text, int from, int length) {
      for (int i = from; i < from + length; i++) {
        line.append(text[i]);
        if (text[i] == '\n') {
          pass();
        }
      }
    }

    private void pass() {
      String whole = line.toString();
      line.setLength(0);
      to.write(whole.startsWith("{") ? whole : typeable.text(whole));
    }

    @Override
    public void flush() {
      pass();
      to.flush();
    }

    @Override
    public void close() {
      flush();
      to.close();
    }
  }
}
