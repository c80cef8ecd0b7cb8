package io.nightsweep.agent;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Serves one client over standard input and output, by the Model Context Protocol. It offers no
 * HTTP: on a login node, every user could reach a loopback port.
 */
public final class McpDoor {
  private static final String INSTRUCTIONS =
      """
      Nightsweep tunes one model x parallelism cell on a Slurm cluster overnight, by rules and statistics.
      Say what status and events attest ("step 11 of 15, 40 s ago"); never conclude more from it.
      A profile wins only by the sweep's own confirmation runs. Tools that change something wait for a person, but for pause, which loses nothing.
      """;

  private McpDoor() {}

  /** Serves one call after the other until the input ends. */
  public static void serve(Seat seat, String version, InputStream in, OutputStream out) {
    LineTransport transport =
        new LineTransport(new JacksonMcpJsonMapper(new JsonMapper()), in, out);
    McpSyncServer server =
        McpServer.sync(transport)
            .serverInfo("nightsweep", version)
            .instructions(INSTRUCTIONS)
            .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
            .tools(Tools.ALL.stream().map(tool -> specification(tool, seat)).toList())
            .build();
    transport.serve();
    server.closeGracefully();
  }

  private static SyncToolSpecification specification(Tool tool, Seat seat) {
    return SyncToolSpecification.builder()
        .tool(
            McpSchema.Tool.builder(tool.name(), schema(tool))
                .description(tool.about())
                .annotations(
                    McpSchema.ToolAnnotations.builder()
                        .readOnlyHint(tool.isReadOnly())
                        .destructiveHint(tool.confirmed())
                        .build())
                .build())
        .callHandler(
            (exchange, request) -> {
              Answer answer =
                  seat.call(
                      request.name(), Optional.ofNullable(request.arguments()).orElse(Map.of()));
              return McpSchema.CallToolResult.builder()
                  .addTextContent(answer.text())
                  .isError(answer.failed())
                  .build();
            })
        .build();
  }

  /** A JSON schema of the arguments: an object without other fields. */
  static Map<String, Object> schema(Tool tool) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Argument argument : tool.arguments()) {
      Map<String, Object> property = new LinkedHashMap<>();
      property.put("type", argument.jsonType());
      property.put("description", argument.about());
      if (argument.type() == Argument.Type.WHOLE_NUMBER) {
        property.put("minimum", argument.least());
        property.put("maximum", argument.most());
      } else {
        property.put("maxLength", argument.most());
      }
      properties.put(argument.name(), property);
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put(
        "required",
        tool.arguments().stream().filter(Argument::required).map(Argument::name).toList());
    schema.put("additionalProperties", false);
    return schema;
  }
}
