package io.nightsweep.workload;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import java.util.List;

/** What a workload can say about candidate profiles before they run. */
public interface Foresight {
  /** Allows every profile and predicts nothing. */
  Foresight NONE =
      new Foresight() {
        @Override
        public boolean allows(Profile profile) {
          return true;
        }

        @Override
        public Statement why(Statement why, List<Profile> profiles) {
          return why;
        }
      };

  /** Whether the workload can run with the profile's overrides. */
  boolean allows(Profile profile);

  /** The reason to run the profiles, with the predicted effect where there is a prediction. */
  Statement why(Statement why, List<Profile> profiles);
}
