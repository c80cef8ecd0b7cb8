package io.nightsweep.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/**
 * The origin of a sweep, stored beside its journal.
 *
 * @param file the sweep file as the user named it
 * @param who the user who started it, or the assistant and the person who confirmed it
 * @param rehearsed the prediction of a rehearsal: a line and a pacing table; empty if there was
 *     none
 * @param night that it shares with other sweeps on its nodes; empty if it has them to itself
 */
public record SweepOrigin(
    ClusterChoice cluster,
    String file,
    String who,
    Command.Origin.Door door,
    Optional<String> rehearsed,
    Optional<String> night) {
  /** The origin of a sweep that a person starts on the command line. */
  public SweepOrigin(ClusterChoice cluster, String file, String who) {
    this(cluster, file, who, Command.Origin.Door.CLI, Optional.empty(), Optional.empty());
  }

  /** This origin for a sweep in a shared night. */
  public SweepOrigin in(String sharedNight) {
    return new SweepOrigin(cluster, file, who, door, rehearsed, Optional.of(sharedNight));
  }

  Command.Origin by() {
    return new Command.Origin(door, who);
  }

  static SweepOrigin read(SweepDirectory directory) throws IOException {
    try {
      JsonNode origin = Json.mapper().readTree(Files.readAllBytes(directory.origin()));
      // Files of earlier versions do not mention the transport, rehearsals or shared nights.
      if (origin.path("cluster") instanceof ObjectNode cluster && !cluster.has("transport")) {
        cluster.putNull("transport");
      }
      if (origin instanceof ObjectNode all && !all.has("rehearsed")) {
        all.putNull("rehearsed");
      }
      if (origin instanceof ObjectNode all && !all.has("night")) {
        all.putNull("night");
      }
      // Earlier versions did not distinguish an assistant's start from a person's.
      if (origin instanceof ObjectNode all && !all.has("door")) {
        all.put("door", Command.Origin.Door.CLI.name());
      }
      return Json.mapper().treeToValue(origin, SweepOrigin.class);
    } catch (IOException e) {
      throw new IOException(
          directory.origin() + ", which says on what cluster the sweep runs, cannot be read: " + e,
          e);
    }
  }

  void write(SweepDirectory directory) throws IOException {
    OwnFile.write(directory.origin(), Json.mapper().writeValueAsBytes(this));
  }
}
