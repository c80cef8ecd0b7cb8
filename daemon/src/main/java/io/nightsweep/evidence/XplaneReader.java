package io.nightsweep.evidence;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.nightsweep.evidence.Outcome.Unreadable;
import io.nightsweep.evidence.Outcome.Whole;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads a profile ({@code *.xplane.pb}) in two passes, as names stand behind the events that use
 * them: first the names, then the events one at a time. Nothing is loaded whole.
 *
 * <p>Field numbers: xplane.proto of XLA ({@code XSpace}, {@code XPlane}, {@code XLine}, {@code
 * XEvent}, {@code XStat}).
 */
public final class XplaneReader {
  static final String EXPECTED = "a whole xplane file (an XSpace message) with a device's events";

  private static final int SPACE_PLANES = 1;
  private static final int SPACE_HOSTNAMES = 4;

  private XplaneReader() {}

  /**
   * @param names of the module's instructions; {@link HloReading.Names#none} where it is not known
   */
  public static Outcome<TraceReading> read(Path file, HloReading.Names names) {
    try (TraceBuilder trace = new TraceBuilder(names)) {
      if (Files.size(file) > Integer.MAX_VALUE) {
        return new Unreadable<>(file, "it is larger than a protobuf message can be", EXPECTED);
      }
      List<XplaneNames> planes;
      try (InputStream in = open(file)) {
        planes = XplaneNames.read(CodedInputStream.newInstance(in, 1 << 16));
      }
      try (InputStream in = open(file)) {
        CodedInputStream coded = CodedInputStream.newInstance(in, 1 << 16);
        XplaneEvents events = new XplaneEvents(coded, trace);
        int plane = 0;
        for (int tag = coded.readTag(); tag != 0; tag = coded.readTag()) {
          if (isPlane(tag)) {
            events.plane(planes.get(plane));
            trace.closePlane();
            plane++;
          } else {
            coded.skipField(tag);
          }
        }
      }
      return trace.isEmpty()
          ? new Unreadable<>(file, "it holds no event of a device", EXPECTED)
          : new Whole<>(trace.build(file));
    } catch (InvalidProtocolBufferException e) {
      return new Unreadable<>(file, broken(e), EXPECTED);
    } catch (IOException | UncheckedIOException e) {
      return new Unreadable<>(file, "it cannot be read: " + e, EXPECTED);
    }
  }

  /** Whether the field is a plane; anything that no XSpace has is an error. */
  static boolean isPlane(int tag) throws InvalidProtocolBufferException {
    int field = WireFormat.getTagFieldNumber(tag);
    if (field > SPACE_HOSTNAMES
        || WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      throw new InvalidProtocolBufferException("no XSpace has a field " + field + " of that type");
    }
    return field == SPACE_PLANES;
  }

  private static String broken(InvalidProtocolBufferException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("input ended unexpectedly")
        ? "it is cut off or no xplane file: a message in it is longer than the file"
        : "it is no xplane file: " + message;
  }

  private static InputStream open(Path file) throws IOException {
    InputStream raw = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
  }
}
