package io.nightsweep.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a call, sent as JSON or as a multipart form (RFC 7578). */
final class Form {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern BOUNDARY = Pattern.compile("multipart/form-data; boundary=(\\S+)");
  private static final Pattern NAME = Pattern.compile("(?i)name=\"([^\"]*)\"");

  private final Map<String, byte[]> parts = new HashMap<>();

  static Form read(String contentType, byte[] body) throws IOException, BotRefusal {
    Form form = new Form();
    Matcher multipart = BOUNDARY.matcher(contentType);
    if (contentType.startsWith("application/json")) {
      JSON.readTree(body)
          .properties()
          .forEach(
              p ->
                  form.parts.put(
                      p.getKey(),
                      (p.getValue().isValueNode() ? p.getValue().asText() : p.getValue().toString())
                          .getBytes(StandardCharsets.UTF_8)));
    } else if (multipart.matches()) {
      form.readParts(new String(body, StandardCharsets.ISO_8859_1), "--" + multipart.group(1));
    } else {
      throw new BotRefusal(400, "Bad Request: content type " + contentType);
    }
    return form;
  }

  private void readParts(String body, String boundary) throws BotRefusal {
    if (!body.endsWith(boundary + "--\r\n")) {
      throw new BotRefusal(400, "Bad Request: the form is cut off");
    }
    String[] pieces = body.split(Pattern.quote(boundary), -1);
    for (int i = 1; i < pieces.length - 1; i++) {
      int end = pieces[i].indexOf("\r\n\r\n");
      Matcher name = NAME.matcher(pieces[i].substring(0, end));
      if (!name.find()) {
        throw new BotRefusal(400, "Bad Request: a part without a name");
      }
      parts.put(
          name.group(1),
          pieces[i]
              .substring(end + 4, pieces[i].length() - 2)
              .getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** Empty if the parameter is absent. */
  String text(String name) {
    return new String(parts.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
  }

  int integer(String name, int otherwise) {
    return text(name).isEmpty() ? otherwise : Integer.parseInt(text(name));
  }

  long number(String name) throws BotRefusal {
    try {
      return Long.parseLong(text(name));
    } catch (NumberFormatException e) {
      throw new BotRefusal(400, "Bad Request: " + name + " is empty");
    }
  }

  JsonNode json(String name) throws BotRefusal {
    try {
      return text(name).isEmpty() ? MissingNode.getInstance() : JSON.readTree(text(name));
    } catch (IOException e) {
      throw new BotRefusal(400, "Bad Request: can't parse " + name);
    }
  }

  /** The file that the field refers to by {@code attach://}. */
  byte[] file(String field) throws BotRefusal {
    String reference = text(field);
    if (!reference.startsWith("attach://")) {
      throw new BotRefusal(400, "Bad Request: wrong file identifier");
    }
    return parts.getOrDefault(reference.substring("attach://".length()), new byte[0]);
  }
}
