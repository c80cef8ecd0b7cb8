package io.nightsweep.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A typed command line and its result. */
record Typed(int code, String out, String err) {
  static Typed line(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
    return new Typed(code, out.toString(), err.toString());
  }

  /**
   * Runs with a state folder, which commands in texts then name: {@link TypeableTest} checks that.
   */
  static Typed in(Path state, String... words) {
    String option = " --state " + state;
    Typed typed =
        line(
            Stream.concat(Stream.of(words), Stream.of("--state", state.toString()))
                .toArray(String[]::new));
    return new Typed(typed.code, typed.out.replace(option, ""), typed.err.replace(option, ""));
  }

  String said() {
    return out + err;
  }
}
