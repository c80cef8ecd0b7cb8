package io.nightsweep.engine;

import io.nightsweep.asked.Commands;
import io.nightsweep.chat.Chat;
import io.nightsweep.chat.ChatSweeps;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.endpoint.LlmSeat;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.workload.Workload;
import java.time.InstantSource;
import java.util.Optional;

/** Creates the parts that drive a sweep. */
public interface Parts {
  Cluster cluster(ClusterChoice choice, StateDirectory state);

  /** How often the cluster is polled. */
  LookPace pace(ClusterChoice choice);

  /** How long to wait for operations that may hang. */
  default Patience patience() {
    return Patience.defaults();
  }

  Workload workload(String kind);

  /** The job that checks nodes, if this installation has one. */
  default Optional<Workload> nodeGate() {
    return Optional.empty();
  }

  Diagnoser diagnoser(SweepSpec spec);

  RemedySteps remedySteps(ClusterChoice choice, Cluster cluster, Workload workload);

  Reporter reporter();

  /** Masks secrets in what is journaled. */
  default Redaction redaction() {
    return Redaction.byForm();
  }

  /** The language model to query and its terms; absent if there is none. */
  default Optional<LlmSeat> llm(StateDirectory state) {
    return Optional.empty();
  }

  /** Runs this program's commands after a person has confirmed an assistant's request. */
  default Commands commands() {
    return arguments -> new Commands.CommandResult(1, "", "this daemon runs no commands");
  }

  /** Opened once by each daemon, which also closes it. */
  default Chat chat(ChatSweeps sweeps, StateDirectory state, InstantSource clock) {
    return Chat.none("not set up");
  }
}
