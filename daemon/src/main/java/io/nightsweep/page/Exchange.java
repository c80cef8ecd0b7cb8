package io.nightsweep.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.io.HttpServerRequestHandler.ResponseTrigger;
import org.apache.hc.core5.http.io.entity.HttpEntities;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;

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

  private static final String JSON = "application/json; charset=utf-8";

  private static final int WORTH_PACKING_BYTES = 1 << 12;
  private static final int MOST_BYTES_OF_A_FORM = 1 << 16;

  private final ClassicHttpRequest request;
  private final ResponseTrigger trigger;
  private final Map<String, String> answered = new LinkedHashMap<>();
  private boolean hasBegun;

  Exchange(ClassicHttpRequest request, ResponseTrigger trigger) {
    this.request = request;
    this.trigger = trigger;
  }

  /** Sets the headers of every answer to an admitted browser. */
  void admit() {
    set(
        "Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    set("X-Content-Type-Options", "nosniff");
    set("Referrer-Policy", "no-referrer");
    set("Cross-Origin-Resource-Policy", "same-origin");
    set("Cross-Origin-Opener-Policy", "same-origin");
    set("Cache-Control", "no-store");
    set("Vary", "Accept-Encoding, Cookie");
  }

  /** Refuses with the same answer in every case, so that it reveals nothing. */
  void refuse() throws IOException {
    answered.clear();
    status(FORBIDDEN);
  }

  /** A header of the answer. */
  void set(String name, String value) {
    answered.put(name, value);
  }

  /** Whether an answer is on its way. */
  boolean hasBegun() {
    return hasBegun;
  }

  boolean isGet() {
    return request.getMethod().equals("GET");
  }

  boolean isPost() {
    return request.getMethod().equals("POST");
  }

  /** The decoded parts of the path; an empty list for the root. */
  List<String> path() {
    return List.of(target().split("\\?", 2)[0].split("/")).stream()
        .filter(part -> !part.isEmpty())
        .map(Exchange::decoded)
        .toList();
  }

  Optional<String> query(String name) {
    String[] parts = target().split("\\?", 2);
    return parts.length < 2
        ? Optional.empty()
        : List.of(parts[1].split("&")).stream()
            .filter(pair -> pair.startsWith(name + "="))
            .map(pair -> decoded(pair.substring(name.length() + 1)))
            .filter(value -> !value.isEmpty())
            .findFirst();
  }

  /** The host of an absolute request target; it takes precedence over the Host header. */
  Optional<String> authority() {
    return Optional.ofNullable(request.getAuthority()).map(Object::toString);
  }

  /** The path with its query, as it was sent. */
  String target() {
    return String.valueOf(request.getPath());
  }

  Optional<String> header(String name) {
    return headers(name).stream().findFirst();
  }

  List<String> headers(String name) {
    return Arrays.stream(request.getHeaders(name)).map(Header::getValue).toList();
  }

  /** The body as JSON; empty where it is not JSON or is too long. */
  Optional<JsonNode> form() throws IOException {
    if (request.getEntity() == null) {
      return Optional.empty();
    }
    byte[] body = request.getEntity().getContent().readNBytes(MOST_BYTES_OF_A_FORM + 1);
    if (body.length > MOST_BYTES_OF_A_FORM) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(Json.mapper().readTree(body)).filter(JsonNode::isObject);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  void json(JsonNode body) throws IOException {
    json(OK, body);
  }

  void json(int status, JsonNode body) throws IOException {
    bytes(status, JSON, Json.mapper().writeValueAsBytes(body));
  }

  /**
   * Sends the body, or only "not modified" to a browser that already has this version.
   *
   * @param tag the version of the answer
   */
  void tagged(String tag, Body body) throws IOException {
    // A weak tag, since the same answer is sent both compressed and plain (RFC 9110, 8.8.1).
    String quoted = "W/\"" + tag + '"';
    set("ETag", quoted);
    set("Cache-Control", "private, no-cache");
    if (header("If-None-Match").filter(known -> known.contains(quoted)).isPresent()) {
      status(NOT_MODIFIED);
      return;
    }
    body.send();
  }

  /** Computes a body; called only if the body is sent. */
  interface Body {
    void send() throws IOException;
  }

  /** Sends JSON that is stored as gzip; unpacks it for clients that do not accept gzip. */
  void packedJson(byte[] gzip) throws IOException {
    if (takesGzip()) {
      set("Content-Encoding", "gzip");
      send(OK, Optional.of(HttpEntities.create(gzip, ContentType.parse(JSON))));
      return;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      send(OK, Optional.of(HttpEntities.create(in.readAllBytes(), ContentType.parse(JSON))));
    }
  }

  private boolean takesGzip() {
    return header("Accept-Encoding").filter(how -> how.contains("gzip")).isPresent();
  }

  void status(int status) throws IOException {
    send(status, Optional.empty());
  }

  void bytes(int status, String type, byte[] body) throws IOException {
    byte[] sent = body;
    if (body.length >= WORTH_PACKING_BYTES && takesGzip()) {
      set("Content-Encoding", "gzip");
      sent = packed(body);
    }
    send(status, Optional.of(HttpEntities.create(sent, ContentType.parse(type))));
  }

  /** Sends an answer that stays open until the writer ends it. */
  void stream(String type, Writer writer) throws IOException {
    send(
        OK,
        Optional.of(
            HttpEntities.create(
                out -> {
                  try {
                    writer.write(out);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException();
                  }
                },
                ContentType.parse(type))));
  }

  /** Writes an answer in pieces. */
  interface Writer {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  private void send(int status, Optional<HttpEntity> body) throws IOException {
    BasicClassicHttpResponse response = new BasicClassicHttpResponse(status);
    answered.forEach(response::setHeader);
    body.ifPresent(response::setEntity);
    hasBegun = true;
    try {
      trigger.submitResponse(response);
    } catch (HttpException e) {
      throw new IOException(e);
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
