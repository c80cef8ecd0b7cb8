package io.nightsweep.evidence;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.nightsweep.evidence.Outcome.Unreadable;
import io.nightsweep.evidence.Outcome.Whole;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads a profile ({@code *.xplane.pb}) in two passes, since names come after the events that use
 * them: first the names, then the events one at a time. The file is never loaded as a whole.
 *
 * <p>Field numbers: xplane.proto of XLA ({@code XSpace}, {@code XPlane}, {@code XLine}, {@code
 * XEvent}, {@code XStat}).
 */
public final class XplaneReader {
  static final Statement EXPECTED = Statement.phrase("expected-xplane");

  private static final int SPACE_PLANES = 1;
  private static final int SPACE_HOSTNAMES = 4;

  private XplaneReader() {}

  /**
   * @param names of the module's instructions; {@link HloReading.Names#none} where unknown
   */
  public static Outcome<TraceReading> read(Path file, HloReading.Names names) {
    try (TraceBuilder trace = new TraceBuilder(names)) {
      if (Files.size(file) > Integer.MAX_VALUE) {
        return new Unreadable<>(file, Statement.phrase("file-large"), EXPECTED);
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
          ? new Unreadable<>(file, Statement.phrase("file-no-event"), EXPECTED)
          : new Whole<>(trace.build(file));
    } catch (InvalidProtocolBufferException e) {
      return new Unreadable<>(file, broken(e), EXPECTED);
    } catch (IOException | UncheckedIOException e) {
      return new Unreadable<>(file, Statement.phrase("cannot-be-read", e), EXPECTED);
    }
  }

  /** Whether the field is a plane; throws for fields that do not exist in an XSpace. */
  static boolean isPlane(int tag) throws InvalidProtocolBufferException {
    int field = WireFormat.getTagFieldNumber(tag);
    if (field > SPACE_HOSTNAMES
        || WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      throw new UnknownField(field);
    }
    return field == SPACE_PLANES;
  }

  private static final class UnknownField extends InvalidProtocolBufferException {
    private static final long serialVersionUID = 1L;
    private final int field;

    UnknownField(int field) {
      super("field " + field);
      this.field = field;
    }
  }

  private static Statement broken(InvalidProtocolBufferException e) {
    if (e instanceof UnknownField unknown) {
      return Statement.phrase("file-no-xplane", Statement.phrase("file-no-field", unknown.field));
    }
    String message = String.valueOf(e.getMessage());
    return message.contains("input ended unexpectedly")
        ? Statement.phrase("file-cut-xplane")
        : Statement.phrase("file-no-xplane", message);
  }

  private static InputStream open(Path file) throws IOException {
    InputStream raw = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
  }
}
