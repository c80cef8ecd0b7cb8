package io.nightsweep.workload;

import io.nightsweep.sweep.Profile;
import java.util.List;

/** What a workload can tell of candidate profiles before they run. */
public interface Foresight {
  /** Every profile is possible, and nothing is predicted. */
  Foresight NONE =
      new Foresight() {
        @Override
        public boolean allows(Profile profile) {
          return true;
        }

        @Override
        public String predictions(List<Profile> profiles) {
          return "";
        }
      };

  /** Whether the workload can run with the profile's overrides. */
  boolean allows(Profile profile);

  /** One sentence on what the profiles will change; empty where nothing can be predicted. */
  String predictions(List<Profile> profiles);
}
