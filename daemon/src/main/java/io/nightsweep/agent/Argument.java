package io.nightsweep.agent;

import io.nightsweep.asked.RefusedException;
import io.nightsweep.files.Plain;
import io.nightsweep.files.Unseen;
import java.math.BigDecimal;
import java.util.OptionalLong;

/**
 * An argument of a tool. Its value becomes a single word of a command line and cannot become an
 * option.
 *
 * @param least of a number
 * @param most of a number; for a text, its length
 */
record Argument(String name, Type type, boolean required, long least, long most, String about) {
  enum Type {
    TEXT,
    WHOLE_NUMBER,
    PATH
  }

  static Argument text(String name, String about) {
    return new Argument(name, Type.TEXT, true, 1, 200, about);
  }

  static Argument path(String name, String about) {
    return new Argument(name, Type.PATH, true, 1, 4_096, about);
  }

  static Argument number(String name, long least, long most, String about) {
    return new Argument(name, Type.WHOLE_NUMBER, true, least, most, about);
  }

  Argument optional() {
    return new Argument(name, type, false, least, most, about);
  }

  /**
   * The value as a word.
   *
   * @throws RefusedException that says what was found and what was expected
   */
  String word(Object value) throws RefusedException {
    return switch (type) {
      case WHOLE_NUMBER -> {
        OptionalLong number = number(value);
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
          throw refused(value, "a whole number from " + least + " to " + most);
        }
        yield Long.toString(number.getAsLong());
      }
      case TEXT, PATH -> {
        String text = value instanceof String given ? given : "";
        if (text.isBlank() || text.length() > most || Unseen.isIn(text)) {
          throw refused(value, "a text of 1 to " + most + " printable characters");
        }
        if (text.startsWith("-") || text.startsWith("@")) {
          throw refused(value, "a value that does not begin with '" + text.charAt(0) + "'");
        }
        yield text;
      }
    };
  }

  private static OptionalLong number(Object value) {
    if (!(value instanceof Number)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(new BigDecimal(value.toString()).longValueExact());
    } catch (ArithmeticException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private RefusedException refused(Object value, String expected) {
    String found = Plain.text(String.valueOf(value), 80);
    return new RefusedException(name + ": found '" + found + "', expected " + expected);
  }

  /** The type's name in a JSON schema. */
  String jsonType() {
    return type == Type.WHOLE_NUMBER ? "integer" : "string";
  }
}
