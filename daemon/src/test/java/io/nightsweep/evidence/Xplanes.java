package io.nightsweep.evidence;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes xplane files of GPUs by the field numbers of xplane.proto. */
final class Xplanes {
  private static final List<String> KERNELS =
      List.of(
          "",
          "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
          "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
          "gemm_fusion_dot_7",
          "MemcpyD2D");

  private Xplanes() {}

  private interface Message {
    void write(CodedOutputStream out) throws IOException;
  }

  /**
   * Microseconds: gather 0-100, permute 150-200, gemm 40-120, a copy 120-130 without overlap; a
   * derived line repeats all of it and must not count.
   */
  static void gpu(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      CodedOutputStream space = CodedOutputStream.newInstance(out);
      space.writeByteArray(
          1,
          message(
              plane -> {
                plane.writeInt64(1, 1);
                plane.writeString(2, "/device:GPU:0");
                plane.writeByteArray(
                    3,
                    line(
                        "Stream #14(Compute)",
                        event(3, 40, 80, "gemm_fusion.1"),
                        event(4, 120, 10, "")));
                plane.writeByteArray(
                    3,
                    line(
                        "Stream #21",
                        event(1, 0, 100, "all-gather-start.2"),
                        event(2, 150, 50, "collective-permute-start.5")));
                plane.writeByteArray(3, line("XLA Ops", event(3, 0, 1000, "while.3")));
                names(plane);
              }));
      space.flush();
    }
  }

  /** One device, two streams, events until the file has about this many bytes. */
  static void large(Path file, long bytes) throws IOException {
    byte[] compute = field(4, event(3, 1, 1, "gemm_fusion.1"));
    byte[] gather = field(4, event(1, 0, 5, "all-gather-start.2"));
    long perStream = bytes / 2;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      byte[] head =
          message(
              plane -> {
                plane.writeInt64(1, 1);
                plane.writeString(2, "/device:GPU:0");
              });
      byte[] tail = message(Xplanes::names);
      byte[] lineA = message(line -> line.writeString(2, "Stream #14(Compute)"));
      byte[] lineB = message(line -> line.writeString(2, "Stream #21"));
      long countA = perStream / timed(gather, 0).length;
      long countB = countA;
      long sizeA = lineA.length + countA * timed(compute, 0).length;
      long sizeB = lineB.length + countB * timed(gather, 0).length;
      CodedOutputStream coded = CodedOutputStream.newInstance(out, 1 << 16);
      coded.writeTag(1, 2);
      coded.writeUInt64NoTag(head.length + tail.length + fieldSize(sizeA) + fieldSize(sizeB));
      coded.writeRawBytes(head);
      stream(coded, lineA, sizeA, countA, compute, 10_000_000L);
      stream(coded, lineB, sizeB, countB, gather, 10_000_000L);
      coded.writeRawBytes(tail);
      coded.flush();
    }
  }

  private static void stream(
      CodedOutputStream coded, byte[] head, long size, long count, byte[] event, long periodPs)
      throws IOException {
    coded.writeTag(3, 2);
    coded.writeUInt64NoTag(size);
    coded.writeRawBytes(head);
    for (long i = 0; i < count; i++) {
      coded.writeRawBytes(timed(event, (i + 1) * periodPs));
    }
  }

  /** The event with its offset replaced: the offset is a varint of fixed width, seven bytes. */
  private static byte[] timed(byte[] event, long offsetPs) {
    byte[] copy = event.clone();
    // tag(4) length metadata-tag metadata offset-tag, then the offset.
    for (int i = 0; i < OFFSET_BYTES; i++) {
      long bits = (offsetPs >>> (7 * i)) & 0x7f;
      copy[5 + i] = (byte) (i < OFFSET_BYTES - 1 ? bits | 0x80 : bits);
    }
    return copy;
  }

  private static final int OFFSET_BYTES = 8;

  private static long fieldSize(long size) {
    return 1 + CodedOutputStream.computeUInt64SizeNoTag(size) + size;
  }

  private static byte[] field(int number, byte[] bytes) throws IOException {
    return message(out -> out.writeByteArray(number, bytes));
  }

  private static byte[] line(String name, byte[]... events) throws IOException {
    return message(
        line -> {
          line.writeString(2, name);
          line.writeInt64(3, 1000);
          for (byte[] event : events) {
            line.writeByteArray(4, event);
          }
        });
  }

  /** Times in microseconds; the instruction is a reference to a statistic's name. */
  private static byte[] event(int kernel, long start, long duration, String instruction)
      throws IOException {
    return message(
        event -> {
          event.writeInt64(1, kernel);
          event.writeTag(2, 0);
          long offset = start * 1_000_000;
          for (int i = 0; i < OFFSET_BYTES; i++) {
            long bits = (offset >>> (7 * i)) & 0x7f;
            event.writeRawByte((byte) (i < OFFSET_BYTES - 1 ? bits | 0x80 : bits));
          }
          event.writeInt64(3, duration * 1_000_000);
          if (!instruction.isEmpty()) {
            event.writeByteArray(
                4,
                message(
                    stat -> {
                      stat.writeInt64(1, 1);
                      stat.writeString(5, instruction);
                    }));
          }
        });
  }

  private static void names(CodedOutputStream plane) throws IOException {
    for (int id = 1; id < KERNELS.size(); id++) {
      entry(plane, 4, id, KERNELS.get(id));
    }
    entry(plane, 5, 1, "hlo_op");
  }

  private static void entry(CodedOutputStream plane, int field, long id, String name)
      throws IOException {
    byte[] metadata =
        message(
            m -> {
              m.writeInt64(1, id);
              m.writeString(2, name);
            });
    plane.writeByteArray(
        field,
        message(
            e -> {
              e.writeInt64(1, id);
              e.writeByteArray(2, metadata);
            }));
  }

  private static byte[] message(Message content) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    content.write(out);
    out.flush();
    return bytes.toByteString().toByteArray();
  }
}
