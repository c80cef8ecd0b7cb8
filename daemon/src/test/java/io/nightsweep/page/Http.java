package io.nightsweep.page;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client that sends any given header, as an attacker would. */
final class Http {
  private final int port;
  private final Map<String, String> headers = new LinkedHashMap<>();

  record Answer(int status, String head, String body) {
    String header(String name) {
      return head.lines()
          .filter(
              line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst()
          .orElse("");
    }
  }

  Http(int port) {
    this.port = port;
    headers.put("Host", "127.0.0.1:" + port);
  }

  Http with(String name, String value) {
    Http other = new Http(port);
    other.headers.putAll(headers);
    other.headers.put(name, value);
    return other;
  }

  Http without(String name) {
    Http other = new Http(port);
    other.headers.clear();
    other.headers.putAll(headers);
    other.headers.remove(name);
    return other;
  }

  /** The headers that the page's own scripts send with actions. */
  Http acting() {
    return with("Origin", "http://127.0.0.1:" + port)
        .with("X-Nightsweep", "act")
        .with("Content-Type", "application/json");
  }

  Answer get(String path) throws IOException {
    return send("GET " + path, "");
  }

  Answer post(String path, String body) throws IOException {
    return send("POST " + path, body);
  }

  /** Reads a stream until an event that contains the text is complete. */
  String until(String path, String seen) throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(20_000);
      // HTTP/1.0, since later versions cut a stream into chunks.
      String request = text("GET " + path, "").replace(" HTTP/1.1\r\n", " HTTP/1.0\r\n");
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      InputStream in = socket.getInputStream();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 14];
      while (!Pattern.compile(seen + ".*\n\n")
          .matcher(all.toString(StandardCharsets.UTF_8))
          .find()) {
        int read = in.read(buffer);
        if (read < 0) {
          break;
        }
        all.write(buffer, 0, read);
      }
      return all.toString(StandardCharsets.UTF_8);
    }
  }

  /** A stream of lines that does not end by itself. */
  record Following(Socket socket, BufferedReader in) implements AutoCloseable {
    @Nullable String line() throws IOException {
      return in.readLine();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Requests a stream and leaves it open. */
  Following follow(String path) throws IOException {
    Socket socket = connect();
    // HTTP/1.0, since later versions cut a stream into chunks.
    String request = text("GET " + path, "").replace(" HTTP/1.1\r\n", " HTTP/1.0\r\n");
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    return new Following(
        socket,
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
  }

  String text(String line, String body) {
    StringBuilder request = new StringBuilder(line + " HTTP/1.1\r\nConnection: close\r\n");
    headers.forEach((name, value) -> request.append(name + ": " + value + "\r\n"));
    if (!body.isEmpty()) {
      request.append("Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n");
    }
    return request.append("\r\n").append(body).toString();
  }

  /** Sends the text as it is, and reads the answer until either side hangs up. */
  String raw(String text) throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private byte[] request(String line, String body) {
    return text(line, body).getBytes(StandardCharsets.UTF_8);
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
  }

  Answer send(String line, String body) throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request(line, body));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = all.indexOf("\r\n\r\n");
      if (end < 0) {
        return new Answer(0, "", "");
      }
      return new Answer(
          Integer.parseInt(all.substring(9, 12)), all.substring(0, end), all.substring(end + 4));
    }
  }
}
