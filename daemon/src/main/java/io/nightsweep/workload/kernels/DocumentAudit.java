package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks a job's document against the order, and its records against the whole document, for
 * studies and sweeps alike.
 */
public final class DocumentAudit {
  /**
   * Allowed difference between two measurements of the same limit; the program uses the same
   * figure.
   */
  private static final double ROOFLINE_TOLERANCE = 1.1;

  private DocumentAudit() {}

  /**
   * What a job was ordered to run, and where.
   *
   * @param fault that a test injects; {@code none} otherwise
   * @param nodesAreHosts whether each node is a separate host, as on a real cluster
   * @param tellsLimits whether the job measures its hosts' limits; they do not apply to GPUs
   * @param environment the environment that the job must have had
   */
  public record JobOrder(
      String metricContract,
      String fault,
      int ranks,
      int nodes,
      boolean nodesAreHosts,
      boolean tellsLimits,
      Map<String, String> environment) {
    public JobOrder {
      environment = Map.copyOf(environment);
    }
  }

  /** How the job differs from the order; empty if it does not. */
  public static Optional<String> contradiction(KernelResult whole, JobOrder order) {
    if (!whole.metricContract().equals(order.metricContract())) {
      return Optional.of(
          "its metric contract is '"
              + whole.metricContract()
              + "' instead of '"
              + order.metricContract()
              + "'");
    }
    if (!whole.fault().equals(order.fault())) {
      return Optional.of("it has the fault '" + whole.fault() + "' injected");
    }
    if (whole.ranks() != order.ranks()) {
      return Optional.of(whole.ranks() + " ranks ran where " + order.ranks() + " were asked");
    }
    // Without measured limits nothing could check the record's shares of them.
    @Nullable JsonNode limits = whole.limits();
    if ((limits == null || limits.isNull()) && order.tellsLimits()) {
      return Optional.of("it has no limits of its run");
    }
    return places(whole, order).or(() -> environment(whole, order));
  }

  /** A contradiction within a record, or between it and the rest of its document. */
  public static Optional<String> contradiction(KernelResult whole, KernelResult.Case record) {
    return RecordAudit.contradiction(record)
        .or(() -> LimitsAudit.contradiction(record, whole.limits()))
        .or(() -> aboveRoofline(record))
        .or(() -> DevicesAudit.contradiction(whole, record))
        .or(() -> FitsAudit.contradiction(whole));
  }

  /** Checks the hosts of the ranks: their number, and that ranks are distributed evenly. */
  private static Optional<String> places(KernelResult whole, JobOrder order) {
    if (whole.hosts().size() != whole.ranks()) {
      return Optional.of(whole.hosts().size() + " hosts are named for " + whole.ranks() + " ranks");
    }
    if (whole.hosts().stream().anyMatch(h -> h.isBlank() || !h.equals(h.strip()))) {
      return Optional.of("a rank's host is given as one of " + whole.hosts());
    }
    // RFC 4343: host names ignore case.
    Map<String, Long> ranksOf =
        whole.hosts().stream()
            .collect(Collectors.groupingBy(h -> h.toLowerCase(Locale.ROOT), Collectors.counting()));
    if (ranksOf.size() != order.nodes() && (order.nodesAreHosts() || ranksOf.size() > 1)) {
      return Optional.of(ranksOf.size() + " hosts ran where " + order.nodes() + " were asked");
    }
    long least = whole.ranks() / order.nodes();
    long most = Math.ceilDiv(whole.ranks(), order.nodes());
    return ranksOf.size() > 1 && ranksOf.values().stream().anyMatch(n -> n < least || n > most)
        ? Optional.of(
            "the hosts ran " + ranksOf.values() + " ranks where each was asked for " + most)
        : Optional.empty();
  }

  private static Optional<String> environment(KernelResult whole, JobOrder order) {
    return order.environment().entrySet().stream()
        .filter(e -> !e.getValue().equals(whole.environment().get(e.getKey())))
        .findFirst()
        .map(
            e ->
                "the job saw "
                    + e.getKey()
                    + "="
                    + whole.environment().get(e.getKey())
                    + " instead of "
                    + e.getValue());
  }

  private static Optional<String> aboveRoofline(KernelResult.Case record) {
    return record.components().stream()
        .filter(c -> aboveLimit(c.ofCopyLimit()) || aboveLimit(c.ofFlopsLimit()))
        .findFirst()
        .filter(c -> record.disposition().equals("measured"))
        .map(c -> c.name() + " lies above the roofline of its own run");
  }

  private static boolean aboveLimit(@Nullable Double share) {
    return share != null && share > ROOFLINE_TOLERANCE;
  }
}
