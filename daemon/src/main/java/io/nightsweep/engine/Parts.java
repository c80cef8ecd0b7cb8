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

/** Makes the parts that drive a sweep. */
public interface Parts {
  Cluster cluster(ClusterChoice choice, StateDirectory state);

  /** How often the cluster is looked at. */
  LookPace pace(ClusterChoice choice);

  /** How long is waited for what may hang. */
  default Patience patience() {
    return Patience.defaults();
  }

  Workload workload(String kind);

  /** The job that checks nodes, where this installation has one. */
  default Optional<Workload> nodeGate() {
    return Optional.empty();
  }

  Diagnoser diagnoser(SweepSpec spec);

  RemedySteps remedySteps(ClusterChoice choice, Cluster cluster, Workload workload);

  Reporter reporter();

  /** Takes secrets out of what is journaled. */
  default Redaction redaction() {
    return Redaction.byForm();
  }

  /** The language model that is asked, and on which terms; absent where none is. */
  default Optional<LlmSeat> llm(StateDirectory state) {
    return Optional.empty();
  }

  /** Runs this program's commands for a person who confirms what an assistant asked for. */
  default Commands commands() {
    return arguments -> new Commands.CommandResult(1, "", "this daemon runs no commands");
  }

  /** Opened once by each daemon, which closes it. */
  default Chat chat(ChatSweeps sweeps, StateDirectory state, InstantSource clock) {
    return Chat.none("not set up");
  }
}
