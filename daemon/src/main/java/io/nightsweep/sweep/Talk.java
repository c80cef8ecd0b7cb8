package io.nightsweep.sweep;

import java.util.function.UnaryOperator;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** The messages between a sweep, people and a language model. */
record Talk(
    PMap<String, NoticeState> notices,
    PMap<String, Question> questions,
    PVector<SweepState.CommandRecord> commands,
    LlmTalk llm) {

  static Talk nothing() {
    return new Talk(
        HashTreePMap.empty(), HashTreePMap.empty(), TreePVector.empty(), LlmTalk.nothing());
  }

  Talk with(String key, NoticeState notice) {
    return new Talk(notices.plus(key, notice), questions, commands, llm);
  }

  Talk notice(String key, UnaryOperator<NoticeState> change) {
    NoticeState notice = notices.get(key);
    if (notice == null) {
      throw new IllegalStateException("no notice '" + key + "'");
    }
    return with(key, change.apply(notice));
  }

  Talk with(String key, Question question) {
    return new Talk(notices, questions.plus(key, question), commands, llm);
  }

  Talk with(SweepState.CommandRecord command) {
    return new Talk(notices, questions, commands.plus(command), llm);
  }

  Talk with(LlmTalk value) {
    return new Talk(notices, questions, commands, value);
  }

  Talk withoutValidations() {
    return new Talk(
        notices,
        questions,
        TreePVector.from(
            commands.stream().filter(c -> !(c.command() instanceof Command.Validate)).toList()),
        llm);
  }

  Talk question(String key, UnaryOperator<Question> change) {
    Question asked = questions.get(key);
    return asked == null ? this : with(key, change.apply(asked));
  }

  Talk answered(String key, boolean yes) {
    return question(key, q -> q.answered(new Question.GivenAnswer(yes, true)));
  }
}
