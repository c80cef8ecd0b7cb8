package io.nightsweep.evidence;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where the time of a profiled window goes, device by device.
 *
 * @param kernels of all devices, the costliest first
 */
public record TraceReading(Path file, List<Device> devices, List<Kernel> kernels) {

  /**
   * One device; all times in seconds. Where several streams are busy, a moment counts once.
   *
   * @param span from the first to the last thing it did in the window
   * @param collective some communication runs
   * @param compute some computation runs
   * @param exposed communication runs and no computation does
   * @param copy memory is copied, and neither computation nor communication runs
   * @param idle nothing runs
   * @param byRoute communication by kind and reach; what runs at once counts each
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

  /** One stream or thread of a device, with the seconds in which it did nothing. */
  public record Stream(String name, double idle, long events) {}

  /**
   * @param seconds of all its runs on all devices
   * @param collective its kind where it communicates, else empty
   */
  public record Kernel(
      String name, double seconds, long runs, Optional<CollectiveKind> collective) {}

  public TraceReading {
    devices = List.copyOf(devices);
    kernels = List.copyOf(kernels);
  }
}
