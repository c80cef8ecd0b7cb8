package io.nightsweep.evidence;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The second pass over an xplane file: passes each device event on. */
final class XplaneEvents {
  private static final int LINE_TIMESTAMP_NS = 3;
  private static final int LINE_EVENTS = 4;

  private static final int EVENT_METADATA = 1;
  private static final int EVENT_OFFSET_PS = 2;
  private static final int EVENT_DURATION_PS = 3;
  private static final int EVENT_STATS = 4;

  private static final int STAT_METADATA = 1;
  private static final int STAT_UINT64 = 3;
  private static final int STAT_INT64 = 4;
  private static final int STAT_STRING = 5;
  private static final int STAT_REFERENCE = 7;

  private final CodedInputStream in;
  private final TraceBuilder trace;
  private final Map<Long, EventName> named = new HashMap<>();
  private String hloOp = "";
  private String ordinal = "";

  private record EventName(String text, boolean needsInstruction) {}

  private static final EventName NAMELESS = new EventName("(nameless)", true);

  XplaneEvents(CodedInputStream in, TraceBuilder trace) {
    this.in = in;
    this.trace = trace;
  }

  void plane(XplaneNames names) throws IOException {
    named.clear();
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == XplaneNames.PLANE_LINES) {
        line(names);
      } else {
        XplaneNames.skip(in, tag);
      }
    }
    in.popLimit(limit);
  }

  private void line(XplaneNames names) throws IOException {
    String name = "";
    long startPs = 0;
    boolean asked = false;
    boolean counts = false;
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case XplaneNames.LINE_NAME -> name = in.readString();
        case LINE_TIMESTAMP_NS -> startPs = in.readInt64() * 1000;
        case LINE_EVENTS -> {
          if (!asked) {
            counts = TraceLines.counts(names.plane(), name, names.streams());
            asked = true;
          }
          if (counts) {
            event(names, name, startPs);
          } else {
            XplaneNames.skip(in, tag);
          }
        }
        default -> XplaneNames.skip(in, tag);
      }
    }
    in.popLimit(limit);
  }

  private EventName name(XplaneNames names, long metadata) {
    return named.computeIfAbsent(
        metadata,
        id -> {
          String text = names.events().getOrDefault(id, NAMELESS.text());
          return new EventName(text, TraceBuilder.needsInstruction(text));
        });
  }

  private void event(XplaneNames names, String line, long lineStartPs) throws IOException {
    long offset = -1;
    long duration = 0;
    hloOp = "";
    ordinal = "";
    EventName name = NAMELESS;
    boolean host = TraceLines.isHost(names.plane());
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case EVENT_METADATA -> name = name(names, in.readInt64());
        case EVENT_OFFSET_PS -> offset = in.readInt64();
        case EVENT_DURATION_PS -> duration = in.readInt64();
        case EVENT_STATS -> {
          if (host || name.needsInstruction()) {
            statistic(names.statistics());
          } else {
            XplaneNames.skip(in, tag);
          }
        }
        default -> XplaneNames.skip(in, tag);
      }
    }
    in.popLimit(limit);
    // Proto3 omits an offset of 0; an aggregate has a count of occurrences instead and no time.
    if (duration > 0 && !(host && hloOp.isEmpty())) {
      String device = TraceLines.device(names.plane(), ordinal);
      trace.add(device, line, name.text(), hloOp, lineStartPs + Math.max(0, offset), duration);
    }
  }

  private void statistic(Map<Long, String> names) throws IOException {
    String name = "";
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case STAT_METADATA -> name = names.getOrDefault(in.readInt64(), "");
        case STAT_STRING -> {
          if (name.equals(TraceLines.HLO_OP)) {
            hloOp = in.readString();
          } else {
            XplaneNames.skip(in, tag);
          }
        }
        case STAT_REFERENCE -> {
          long reference = in.readUInt64();
          if (name.equals(TraceLines.HLO_OP)) {
            hloOp = names.getOrDefault(reference, "");
          }
        }
        case STAT_UINT64, STAT_INT64 -> {
          long value = in.readInt64();
          if (name.equals(TraceLines.DEVICE_ORDINAL)) {
            ordinal = Long.toString(value);
          }
        }
        default -> XplaneNames.skip(in, tag);
      }
    }
    in.popLimit(limit);
  }
}
