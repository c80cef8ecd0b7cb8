package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Verdict;
import io.nightsweep.report.ComparedSweeps.GainChange;
import io.nightsweep.report.OtherCell.Flip;
import io.nightsweep.report.OtherCell.OtherGain;
import io.nightsweep.sim.AlteredSurface;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the texts say about losses, and about gains that differ from earlier ones. */
@Tag("people")
class LossTest {
  /** The baseline without its environment file loses 10 % and is never dropped. */
  @Test
  void aProfileThatLostIsToldThoughNothingDroppedIt() {
    SweepSpec spec = spec();
    SweepState s = Specs.night(spec, surface(), Duration.ofMinutes(8), 3).run().state();
    String lost = Profile.BASELINE_NO_ENV;
    assertThat(Standings.board(s).of(lost).orElseThrow().verdict())
        .isInstanceOf(Verdict.Loss.class);
    assertThat(s.isDropped(lost)).isFalse();
    assertThat(TuningReport.of(s, List.of()).replace("\\", ""))
        .containsPattern("`baseline-no-env` .* hurts: -\\d");
    assertThat(EarlierNights.logGains(spec, List.of(), List.of(s)))
        .containsEntry(s.profile(lost).hash(), EarlierNights.REFUTED);
  }

  /** A setting flips between two cells if both intervals lie on one side of zero. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # there: log-gain, low, high; here: log-gain, low, high
           0.05,  0.03, 0.07,   0.04,  0.02,  0.06, NO
          -0.05, -0.07, -0.03, -0.04, -0.06, -0.02, NO
           0.05,  0.03, 0.07,  -0.04, -0.06, -0.02, YES
          -0.05, -0.07, -0.03,  0.04,  0.02,  0.06, YES
           0.05, -0.01, 0.11,  -0.04, -0.06, -0.02, UNCLEAR
           0.05,  0.03, 0.07,  -0.04, -0.10,  0.02, UNCLEAR
           0,    -0.01, 0.01,  -0.04, -0.06, -0.02, NO
          """)
  void aSettingFlipsIfBothItsGainsAreClear(
      double there,
      double low,
      double high,
      double here,
      double lowHere,
      double highHere,
      Flip is) {
    assertThat(
            new OtherGain(there, new Interval(low, high))
                .against(new Interval(lowHere, highHere), here))
        .isEqualTo(is);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 3, true",
    "-3, -1, true",
    "-1, 3, false",
    "0, 3, false",
    "-3, 0, false",
    ", , false"
  })
  void aChangeIsCertainIfItsIntervalExcludesZero(
      @Nullable Double low, @Nullable Double high, boolean is) {
    assertThat(new GainChange(2, Optional.ofNullable(low), Optional.ofNullable(high)).isCertain())
        .isEqualTo(is);
  }

  @Test
  void eachVerdictHasItsWord() {
    Interval interval = new Interval(-0.02, -0.01);
    assertThat(Figures.word(new Verdict.Win(interval, 3))).isEqualTo("win");
    assertThat(Figures.word(new Verdict.Loss(interval, 3))).isEqualTo("loss");
    assertThat(Figures.word(new Verdict.Neutral(interval, 3, 0.01))).isEqualTo("neutral");
    assertThat(Figures.word(new Verdict.Undecided(interval, 3))).isEqualTo("undecided");
  }

  private static SweepSpec spec() {
    SweepSpec plain = Specs.kernels(2, 40);
    Profile without =
        new Profile(
            Profile.BASELINE_NO_ENV,
            Profile.Base.NO_ENV,
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            List.of());
    List<Wave> waves = new ArrayList<>(plain.plan().waves());
    waves.set(
        0,
        Specs.wave(
            "baseline",
            Wave.Kind.BASELINE,
            List.of(Profile.BASELINE_NO_ENV),
            Wave.When.ALWAYS,
            6,
            "the file's effect"));
    return Specs.with(plain, Stream.concat(plain.profiles().stream(), Stream.of(without)).toList())
        .with(new Plan("test", waves, List.of()));
  }

  private static Surface surface() {
    return new AlteredSurface(Specs.surface(0, 0.005)) {
      @Override
      public double effect(Profile profile, String configTag) {
        return profile.base() == Profile.Base.NO_ENV ? -0.1 : 0;
      }
    };
  }
}
