package io.nightsweep.sweep;

import java.util.function.UnaryOperator;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** What a sweep and its people tell each other: notices, questions and commands. */
record Talk(
    PMap<String, NoticeState> notices,
    PMap<String, SweepState.Approval> approvals,
    PVector<SweepState.CommandRecord> commands) {

  static Talk nothing() {
    return new Talk(HashTreePMap.empty(), HashTreePMap.empty(), TreePVector.empty());
  }

  Talk with(String key, NoticeState notice) {
    return new Talk(notices.plus(key, notice), approvals, commands);
  }

  Talk notice(String key, UnaryOperator<NoticeState> change) {
    NoticeState notice = notices.get(key);
    if (notice == null) {
      throw new IllegalStateException("no notice '" + key + "'");
    }
    return with(key, change.apply(notice));
  }

  Talk with(String key, SweepState.Approval approval) {
    return new Talk(notices, approvals.plus(key, approval), commands);
  }

  Talk with(SweepState.CommandRecord command) {
    return new Talk(notices, approvals, commands.plus(command));
  }

  Talk withoutValidations() {
    return new Talk(
        notices,
        approvals,
        TreePVector.from(
            commands.stream().filter(c -> !(c.command() instanceof Command.Validate)).toList()));
  }

  /** Only the first answer to a question counts. */
  Talk answered(String key, boolean granted) {
    SweepState.Approval asked = approvals.get(key);
    return asked == null || asked.granted().isPresent() ? this : with(key, asked.answered(granted));
  }
}
