package io.nightsweep.workload.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds the programs that bash code starts, from its text alone. It stops at a line that may change
 * which programs exist, such as {@code source} or {@code cd}.
 */
final class StartedPrograms {
  /**
   * @param name as written: a path or a bare name
   * @param isFirst whether nothing that ran before can have created it
   * @param isNeeded whether it is the first, and the job cannot continue without it
   */
  record StartedProgram(String name, boolean isFirst, boolean isNeeded) {}

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_./][A-Za-z0-9_./+@-]*");
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*\\+?=.*");
  private static final Pattern DESCRIPTOR = Pattern.compile("\\d+");

  /** With this option, a failing program ends the job. */
  private static final Pattern ENDS_ON_FAILURE = Pattern.compile("(?m)^\\s*set -[a-z]*e");

  /** After these words a failing command does not end the script. */
  private static final Set<String> CONDITIONS = Set.of("if", "elif", "while", "until", "!");

  /** Words after which a command begins. */
  private static final Set<String> BEFORE_A_COMMAND =
      Set.of(
          "if", "then", "elif", "else", "while", "until", "do", "time", "!", "{", "exec",
          "command");

  /** Commands after which the text no longer shows what exists. */
  private static final Set<String> CHANGES =
      Set.of(
          ".",
          "source",
          "eval",
          "cd",
          "pushd",
          "popd",
          "alias",
          "function",
          "case",
          "module",
          "ml",
          "conda",
          "mamba",
          "spack");

  private static final Set<String> OWN =
      Set.of(
          "for",
          "select",
          "done",
          "fi",
          "esac",
          "}",
          "in",
          "[",
          "[[",
          ":",
          "bg",
          "break",
          "builtin",
          "continue",
          "declare",
          "echo",
          "enable",
          "exit",
          "export",
          "false",
          "fg",
          "getopts",
          "hash",
          "help",
          "jobs",
          "kill",
          "let",
          "local",
          "mapfile",
          "printf",
          "pwd",
          "read",
          "readarray",
          "readonly",
          "return",
          "set",
          "shift",
          "shopt",
          "test",
          "times",
          "trap",
          "true",
          "type",
          "typeset",
          "ulimit",
          "umask",
          "unset",
          "wait");

  private final List<StartedProgram> found = new ArrayList<>();
  private boolean hasOneRun;
  private boolean isConditional;
  private boolean isOver;

  private StartedPrograms() {}

  static List<StartedProgram> in(String text) {
    StartedPrograms programs = new StartedPrograms();
    programs.new Reading(text, false).read();
    boolean endsOnFailure =
        !text.contains("||")
            && (programs.found.size() == 1 || ENDS_ON_FAILURE.matcher(text).find());
    return programs.found.stream()
        .map(s -> new StartedProgram(s.name(), s.isFirst(), s.isNeeded() && endsOnFailure))
        .toList();
  }

  /** Reads one text; a command substitution in it is a text of its own. */
  private final class Reading {
    private final String text;
    private final boolean isWithin;
    private final StringBuilder word = new StringBuilder();
    private boolean isPlain = true;
    private boolean isCommand = true;
    private boolean isTarget;
    private int at;

    Reading(String text, boolean isWithin) {
      this.text = text;
      this.isWithin = isWithin;
    }

    void read() {
      for (at = 0; at < text.length() && !isOver; at++) {
        character(text.charAt(at));
      }
      if (!isOver) {
        word();
      }
    }

    private void character(char c) {
      switch (c) {
        case '\\' -> {
          at++;
          if (at < text.length() && text.charAt(at) != '\n') {
            unknown();
          }
        }
        case '\'' -> {
          at = after("'", at + 1);
          unknown();
        }
        case '"' -> doubleQuotes();
        case '`' -> {
          int end = after("`", at + 1);
          within(at + 1, end);
          at = end;
        }
        case '$' -> expansion();
        case '#' -> {
          if (word.isEmpty()) {
            at = after("\n", at) - 1;
          } else {
            word.append(c);
          }
        }
        case '<', '>' -> redirection(c);
        case '&' -> {
          if (text.startsWith("&>", at)) {
            redirection(c);
          } else {
            separator();
          }
        }
        case '\n', ';', '|' -> separator();
        case '(' -> open();
        case ')' -> {
          word();
          isCommand = false;
        }
        case ' ', '\t', '\r' -> word();
        default -> word.append(c);
      }
    }

    private void separator() {
      word();
      isCommand = true;
      isTarget = false;
    }

    /** Records quoted or expanded text, from which no name can be read. */
    private void unknown() {
      word.append('?');
      isPlain = false;
    }

    private void doubleQuotes() {
      unknown();
      for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
        if (text.charAt(at) == '\\') {
          at++;
        } else if (text.charAt(at) == '$') {
          expansion();
        }
      }
    }

    private void expansion() {
      unknown();
      if (text.startsWith("$((", at)) {
        at = after("))", at) + 1;
      } else if (text.startsWith("$(", at)) {
        int end = closing(at + 2);
        within(at + 2, end);
        at = end;
      } else if (text.startsWith("${", at)) {
        at = after("}", at);
      }
    }

    private void within(int from, int to) {
      unknown();
      new Reading(text.substring(Math.min(from, text.length()), Math.min(to, text.length())), true)
          .read();
    }

    private void redirection(char c) {
      if (c == '<' && text.startsWith("<<", at)) {
        isOver = true;
        return;
      }
      if (DESCRIPTOR.matcher(word).matches()) {
        word.setLength(0);
      }
      word();
      while (at + 1 < text.length() && "<>&|".indexOf(text.charAt(at + 1)) >= 0) {
        at++;
      }
      isTarget = true;
    }

    private void open() {
      if (word.isEmpty() && text.startsWith("((", at)) {
        at = after("))", at) + 1;
      } else if (word.isEmpty()) {
        isCommand = true;
      } else if (word.charAt(word.length() - 1) == '=') {
        at = closing(at + 1);
      } else {
        // This defines a function; its name is not the name of a program.
        isOver = true;
      }
    }

    private void word() {
      if (word.isEmpty()) {
        return;
      }
      String said = word.toString();
      boolean plain = isPlain;
      word.setLength(0);
      isPlain = true;
      if (isTarget) {
        isTarget = false;
      } else if (said.contains("PATH=")) {
        isOver = true;
      } else if (isCommand && !ASSIGNMENT.matcher(said).matches()) {
        command(said, plain);
      }
    }

    private void command(String said, boolean plain) {
      if (plain && BEFORE_A_COMMAND.contains(said)) {
        isConditional |= CONDITIONS.contains(said);
        return;
      }
      isCommand = false;
      if (plain && CHANGES.contains(said)) {
        isOver = true;
      } else if (said.equals("[[")) {
        at = after("]]", at);
      } else if (!OWN.contains(said)) {
        if (plain && NAME.matcher(said).matches()) {
          boolean isFirst = !isWithin && !hasOneRun;
          found.add(new StartedProgram(said, isFirst, isFirst && !isConditional));
        }
        hasOneRun = true;
      }
    }

    private int after(String end, int from) {
      int found = text.indexOf(end, from);
      return found < 0 ? text.length() : found;
    }

    /** The position of the parenthesis that closes the one before {@code from}. */
    private int closing(int from) {
      int depth = 1;
      for (int i = from; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '\\') {
          i++;
        } else if (c == '\'') {
          i = after("'", i + 1);
        } else if (c == '(') {
          depth++;
        } else if (c == ')' && --depth == 0) {
          return i;
        }
      }
      return text.length();
    }
  }
}
