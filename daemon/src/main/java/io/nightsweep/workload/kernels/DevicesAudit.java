package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Checks the GPUs in a record against the document's ranks and hosts: each rank must have its own
 * GPU, the same in every case.
 */
final class DevicesAudit {
  /** A device's name and its bus address; the address's domain has at least four digits. */
  private static final Pattern DEVICE =
      Pattern.compile(
          "\\S.* (?<domain>\\p{XDigit}{4,8})"
              + ":(?<place>\\p{XDigit}{2}:\\p{XDigit}{2}\\.\\p{XDigit})");

  private DevicesAudit() {}

  /** Impossible GPUs in a record of a measured case. */
  static Optional<String> contradiction(KernelResult whole, Case one) {
    if (!one.disposition().equals("measured")) {
      return Optional.empty();
    }
    List<String> devices = devices(one);
    if (!Backends.isOnGpus(one.identity().path("backend").asText())) {
      return devices.isEmpty()
          ? Optional.empty()
          : Optional.of("it names the GPUs " + devices + ", which its backend does not use");
    }
    if (devices.size() != whole.ranks() || devices.size() != whole.hosts().size()) {
      return Optional.of(devices.size() + " GPUs are named for " + whole.ranks() + " ranks");
    }
    return devices.stream()
        .filter(d -> !DEVICE.matcher(d).matches())
        .findFirst()
        .map(d -> "'" + d + "' is not a GPU's name and bus address")
        .or(() -> shared(whole.hosts(), devices))
        .or(() -> others(whole, devices));
  }

  private static List<String> devices(Case one) {
    List<String> devices = new ArrayList<>();
    for (JsonNode device : one.facts().path("devices")) {
      devices.add(device.asText());
    }
    return devices;
  }

  private static Optional<String> shared(List<String> hosts, List<String> devices) {
    long distinct =
        IntStream.range(0, devices.size())
            .mapToObj(rank -> List.of(hosts.get(rank), address(devices.get(rank))))
            .distinct()
            .count();
    return distinct == devices.size()
        ? Optional.empty()
        : Optional.of(distinct + " GPUs are named for " + devices.size() + " ranks: " + devices);
  }

  /** The address in one spelling, without the GPU's name. */
  private static String address(String device) {
    Matcher parts = DEVICE.matcher(device);
    return parts.matches()
        ? Long.parseLong(parts.group("domain"), 16)
            + ":"
            + parts.group("place").toLowerCase(Locale.ROOT)
        : device;
  }

  private static Optional<String> others(KernelResult whole, List<String> devices) {
    return whole.cases().stream()
        .filter(c -> c.disposition().equals("measured"))
        .map(DevicesAudit::devices)
        .filter(d -> !d.equals(devices))
        .findFirst()
        .map(d -> "it ran on the GPUs " + devices + " and another case of its job on " + d);
  }
}
