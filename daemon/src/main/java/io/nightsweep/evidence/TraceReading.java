package io.nightsweep.evidence;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the time of a profiled window is spent, device by device.
 *
 * @param kernels of all devices, the costliest first
 */
public record TraceReading(Path file, List<Device> devices, List<Kernel> kernels) {

  /**
   * One device; all times in seconds. A moment counts once even if several streams are busy.
   *
   * @param span from the start of its first activity in the window to the end of its last
   * @param collective time with communication
   * @param compute time with computation
   * @param exposed time with communication but no computation
   * @param copy time with memory copies, but neither computation nor communication
   * @param idle time with no activity
   * @param byRoute communication by kind and reach; simultaneous ones each count in full
   */
  public record Device(
      String name,
      double span,
      double collective,
      double compute,
      double exposed,
      double copy,
      double idle,
      SortedMap<Route, Double> byRoute,
      List<Stream> streams) {
    public Device {
      byRoute = Collections.unmodifiableSortedMap(new TreeMap<>(byRoute));
      streams = List.copyOf(streams);
    }

    /** A part of the span, as a fraction. */
    public double share(double seconds) {
      return span > 0 ? seconds / span : 0;
    }
  }

  /** One stream or thread of a device, with its idle seconds. */
  public record Stream(String name, double idle, long events) {}

  /**
   * @param seconds of all its runs on all devices
   * @param collective its kind if it communicates, else empty
   */
  public record Kernel(
      String name, double seconds, long runs, Optional<CollectiveKind> collective) {}

  public TraceReading {
    devices = List.copyOf(devices);
    kernels = List.copyOf(kernels);
  }
}
