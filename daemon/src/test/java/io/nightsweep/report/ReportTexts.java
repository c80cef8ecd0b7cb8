package io.nightsweep.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.sweep.SweepState;
import java.util.List;

/** The texts that a night writes, without its pictures. */
public final class ReportTexts {
  private ReportTexts() {}

  public static String english(SweepState s) {
    return TuningReport.of(s.withoutValidations(), List.of());
  }

  public static String chinese(SweepState s) {
    return TuningReport.of(s.withoutValidations(), List.of(), Phrases.ZH, List.of());
  }

  /** Empty if the night proposes nothing. */
  public static String patch(SweepState s) {
    return DeploymentSection.patch(s.withoutValidations(), List.of()).orElse("");
  }

  public static SweepState fsdp() {
    return TuningNights.fsdp();
  }

  public static SweepState pp() {
    return TuningNights.pp();
  }

  /** The sweep's row of {@code tuning.json}. */
  public static JsonNode tuning(SweepState s) {
    return TuningFile.cell(s);
  }
}
