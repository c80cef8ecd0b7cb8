package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.nightsweep.journal.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** A request and its one answer. */
final class Exchange {
  static final int OK = 200;
  static final int NOT_MODIFIED = 304;
  static final int BAD_REQUEST = 400;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;
  static final int WRONG_METHOD = 405;
  static final int CONFLICT = 409;
  static final int BROKEN = 500;
  static final int BUSY = 503;

  private static final int WORTH_PACKING_BYTES = 1 << 12;
  private static final int MOST_BYTES_OF_A_FORM = 1 << 16;

  private final HttpExchange http;

  Exchange(HttpExchange http) {
    this.http = http;
    Headers headers = http.getResponseHeaders();
    headers.set(
        "Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
    headers.set("Vary", "Accept-Encoding, Cookie");
  }

  HttpExchange http() {
    return http;
  }

  boolean isGet() {
    return http.getRequestMethod().equals("GET");
  }

  boolean isPost() {
    return http.getRequestMethod().equals("POST");
  }

  /** The path's parts, decoded; none where it is the root. */
  List<String> path() {
    return List.of(http.getRequestURI().getRawPath().split("/")).stream()
        .filter(part -> !part.isEmpty())
        .map(Exchange::decoded)
        .toList();
  }

  Optional<String> query(String name) {
    String query = http.getRequestURI().getRawQuery();
    return query == null
        ? Optional.empty()
        : List.of(query.split("&")).stream()
            .filter(pair -> pair.startsWith(name + "="))
            .map(pair -> decoded(pair.substring(name.length() + 1)))
            .filter(value -> !value.isEmpty())
            .findFirst();
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(http.getRequestHeaders().getFirst(name));
  }

  /** The body as JSON; empty where it is not JSON or is too long. */
  Optional<JsonNode> form() throws IOException {
    byte[] body = http.getRequestBody().readNBytes(MOST_BYTES_OF_A_FORM + 1);
    if (body.length > MOST_BYTES_OF_A_FORM) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(Json.mapper().readTree(body)).filter(JsonNode::isObject);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      return Optional.empty();
    }
  }

  void json(JsonNode body) throws IOException {
    json(OK, body);
  }

  void json(int status, JsonNode body) throws IOException {
    bytes(status, "application/json; charset=utf-8", Json.mapper().writeValueAsBytes(body));
  }

  /**
   * @param tag the version of what is asked for; a browser that has it is told so, and nothing else
   */
  void tagged(String tag, Body body) throws IOException {
    // Weak, since the same answer is sent packed and as it is (RFC 9110, 8.8.1).
    String quoted = "W/\"" + tag + '"';
    http.getResponseHeaders().set("ETag", quoted);
    http.getResponseHeaders().set("Cache-Control", "private, no-cache");
    if (header("If-None-Match").filter(known -> known.contains(quoted)).isPresent()) {
      status(NOT_MODIFIED);
      return;
    }
    json(OK, body.make());
  }

  /** Made only where it is sent. */
  interface Body {
    JsonNode make() throws IOException;
  }

  void status(int status) throws IOException {
    http.sendResponseHeaders(status, -1);
  }

  void bytes(int status, String type, byte[] body) throws IOException {
    http.getResponseHeaders().set("Content-Type", type);
    byte[] sent = body;
    if (body.length >= WORTH_PACKING_BYTES
        && header("Accept-Encoding").filter(how -> how.contains("gzip")).isPresent()) {
      http.getResponseHeaders().set("Content-Encoding", "gzip");
      sent = packed(body);
    }
    http.sendResponseHeaders(status, sent.length == 0 ? -1 : sent.length);
    if (sent.length > 0) {
      try (OutputStream out = http.getResponseBody()) {
        out.write(sent);
      }
    }
  }

  private static byte[] packed(byte[] body) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(body);
    }
    return out.toByteArray();
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
