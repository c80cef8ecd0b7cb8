package io.nightsweep.evidence;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names in one plane: of its events and its statistics. Lines are skipped.
 *
 * @param streams whether a line is named as a stream; then only such lines count
 */
record XplaneNames(
    String plane, boolean streams, Map<Long, String> events, Map<Long, String> statistics) {
  static final int PLANE_NAME = 2;
  static final int PLANE_LINES = 3;
  static final int PLANE_EVENT_METADATA = 4;
  static final int PLANE_STAT_METADATA = 5;
  static final int LINE_NAME = 2;

  /** Limit on a plane's distinct events; further ones have no name. */
  private static final int MOST_NAMES = 1 << 18;

  private static final int LONGEST_NAME = 400;

  static List<XplaneNames> read(CodedInputStream in) throws IOException {
    List<XplaneNames> planes = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (XplaneReader.isPlane(tag)) {
        planes.add(plane(in));
      } else {
        skip(in, tag);
      }
    }
    if (planes.isEmpty()) {
      throw new InvalidProtocolBufferException("it has no plane");
    }
    return planes;
  }

  /** Whether a line of this name contains the kernels of a GPU's stream. */
  static boolean isStream(String line) {
    return line.startsWith("Stream #");
  }

  private static XplaneNames plane(CodedInputStream in) throws IOException {
    String name = "";
    boolean streams = false;
    Map<Long, String> events = new HashMap<>();
    Map<Long, String> statistics = new HashMap<>();
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case PLANE_NAME -> name = in.readStringRequireUtf8();
        case PLANE_LINES -> streams |= isStream(lineName(in));
        case PLANE_EVENT_METADATA -> entry(in, events);
        case PLANE_STAT_METADATA -> entry(in, statistics);
        default -> skip(in, tag);
      }
    }
    in.popLimit(limit);
    return new XplaneNames(name, streams, events, statistics);
  }

  private static String lineName(CodedInputStream in) throws IOException {
    String name = "";
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == LINE_NAME) {
        name = in.readStringRequireUtf8();
        in.skipRawBytes(in.getBytesUntilLimit());
        break;
      }
      skip(in, tag);
    }
    in.popLimit(limit);
    return name;
  }

  /** One entry of a map from id to metadata; in both kinds of metadata the name is field 2. */
  private static void entry(CodedInputStream in, Map<Long, String> names) throws IOException {
    long key = 0;
    String name = "";
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> key = in.readInt64();
        case 2 -> {
          int inner = in.pushLimit(in.readRawVarint32());
          for (int field = in.readTag(); field != 0; field = in.readTag()) {
            if (WireFormat.getTagFieldNumber(field) == 2) {
              name = in.readString();
            } else {
              skip(in, field);
            }
          }
          in.popLimit(inner);
        }
        default -> skip(in, tag);
      }
    }
    in.popLimit(limit);
    if (names.size() < MOST_NAMES) {
      names.put(key, name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name);
    }
  }

  static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException("a group ends that never began");
    }
  }
}
