package io.nightsweep.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The latest rehearsal of a state folder. A start of the same plan shows it instead of simulating
 * nights of its own, so that both forecasts agree.
 *
 * @param of hash of what was rehearsed: the sweep without the names of its nodes, and the
 *     assumptions
 * @param at when it was rehearsed
 * @param enough the result of a search for a sufficient budget; empty where there was none
 */
record LatestRehearsal(
    String of, Instant at, Rehearsed rehearsed, Optional<Rehearsal.Sought> enough) {
  /** How long a rehearsal stays valid: if the budget ends at a time of day, less is left later. */
  private static final Duration GOOD_FOR = Duration.ofMinutes(30);

  static LatestRehearsal of(
      SweepSpec spec, Rehearsed rehearsed, Instant at, Optional<Rehearsal.Sought> enough) {
    return new LatestRehearsal(hash(spec, rehearsed.assumptions()), at, rehearsed, enough);
  }

  /** Empty where the latest rehearsal was of something else or cannot be read. */
  static Optional<LatestRehearsal> latest(
      StateDirectory state, SweepSpec spec, Assumptions assumptions) {
    try {
      LatestRehearsal latest =
          Json.mapper().readValue(Files.readAllBytes(file(state)), LatestRehearsal.class);
      boolean isCurrent =
          spec.budget().until().isEmpty() || Instant.now().isBefore(latest.at.plus(GOOD_FOR));
      return latest.of.equals(hash(spec, assumptions)) && isCurrent
          ? Optional.of(latest)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * A budget that suffices. The search is limited in time, so that a second search may find another
   * one.
   */
  Optional<Rehearsal.Sought> found() {
    return enough.filter(Rehearsal.Sought.Found.class::isInstance);
  }

  /**
   * Saves the rehearsal; a folder that cannot be written must not prevent it, since 'doctor'
   * reports that.
   */
  void keep(StateDirectory state) {
    try {
      state.create();
      OwnFile.write(file(state), Json.mapper().writeValueAsBytes(this));
    } catch (IOException e) {
      // A later start then simulates nights of its own.
    }
  }

  private static Path file(StateDirectory state) {
    return state.root().resolve("rehearsal.json");
  }

  private static String hash(SweepSpec spec, Assumptions assumptions) {
    JsonNode sweep = Json.mapper().valueToTree(spec);
    if (sweep.path("cell") instanceof ObjectNode cell) {
      cell.put("nodes", spec.cell().nodes().size());
    }
    if (sweep.path("plan") instanceof ObjectNode plan) {
      plan.remove("notApplicable");
    }
    return DigestUtils.sha256Hex(sweep + "\n" + Json.mapper().valueToTree(assumptions));
  }
}
