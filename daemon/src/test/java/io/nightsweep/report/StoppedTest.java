package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.SweepEnding;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a sweep that a person ended. */
@Tag("people")
class StoppedTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DRAIN  | A person ended the sweep before its end; the jobs that ran then were let end. | 先跑完
          CANCEL | A person ended the sweep before its end; the jobs that ran then were cancelled. | 已取消
          """)
  void whatBecameOfItsJobsIsASentence(Command.Stop.Mode mode, String english, String chinese) {
    SweepEnding ending = new SweepEnding.StoppedByCommand(mode);
    assertThat(Sentences.of(ending, Phrases.EN)).isEqualTo(english);
    assertThat(Sentences.of(ending, Phrases.ZH)).contains(chinese);
  }
}
