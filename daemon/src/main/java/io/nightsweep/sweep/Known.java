package io.nightsweep.sweep;

import java.util.List;
import java.util.Optional;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * What is known of the world around a sweep.
 *
 * @param inventory what held when the sweep began
 * @param nodeChecks checks of the nodes, in their order
 * @param strains of nodes while attempts ran
 * @param outage present while the cluster gives no answer
 * @param storageFailure present while the journal cannot be written
 */
record Known(
    PVector<Finding> findings,
    PVector<Fact> inventory,
    PVector<Event.NodesChecked> nodeChecks,
    PVector<Event.NodeStrained> strains,
    Optional<SweepState.ClusterOutage> outage,
    Optional<String> storageFailure) {

  Known with(Finding finding) {
    return new Known(
        findings.plus(finding), inventory, nodeChecks, strains, outage, storageFailure);
  }

  Known with(List<Fact> facts) {
    return new Known(
        findings, TreePVector.from(facts), nodeChecks, strains, outage, storageFailure);
  }

  Known with(Event.NodesChecked check) {
    return new Known(findings, inventory, nodeChecks.plus(check), strains, outage, storageFailure);
  }

  Known with(Event.NodeStrained strain) {
    return new Known(findings, inventory, nodeChecks, strains.plus(strain), outage, storageFailure);
  }

  Known outage(Optional<SweepState.ClusterOutage> now) {
    return new Known(findings, inventory, nodeChecks, strains, now, storageFailure);
  }

  Known storageFailure(Optional<String> now) {
    return new Known(findings, inventory, nodeChecks, strains, outage, now);
  }

  static Known nothing() {
    return new Known(
        TreePVector.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
