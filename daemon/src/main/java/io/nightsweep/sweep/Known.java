package io.nightsweep.sweep;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * What is known about a sweep's environment.
 *
 * @param inventory facts at the beginning of the sweep
 * @param nodeChecks checks of the nodes, in their order
 * @param strains of nodes while attempts ran
 * @param gains beyond the plausibility limit that earlier sweeps have shown: log-gains by the
 *     profile's hash
 * @param outage present while the cluster does not answer
 */
record Known(
    PVector<Finding> findings,
    PVector<Fact> inventory,
    PVector<Event.NodesChecked> nodeChecks,
    PVector<Event.NodeStrained> strains,
    SortedMap<String, Double> gains,
    Optional<SweepState.ClusterOutage> outage) {

  Known with(Finding finding) {
    return new Known(findings.plus(finding), inventory, nodeChecks, strains, gains, outage);
  }

  Known with(List<Fact> facts) {
    return new Known(findings, TreePVector.from(facts), nodeChecks, strains, gains, outage);
  }

  Known with(Event.NodesChecked check) {
    return new Known(findings, inventory, nodeChecks.plus(check), strains, gains, outage);
  }

  Known with(Event.NodeStrained strain) {
    return new Known(findings, inventory, nodeChecks, strains.plus(strain), gains, outage);
  }

  Known with(Event.GainsKnown known) {
    return new Known(findings, inventory, nodeChecks, strains, known.logGains(), outage);
  }

  Known outage(Optional<SweepState.ClusterOutage> now) {
    return new Known(findings, inventory, nodeChecks, strains, gains, now);
  }

  static Known nothing() {
    return new Known(
        TreePVector.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        new TreeMap<>(),
        Optional.empty());
  }
}
