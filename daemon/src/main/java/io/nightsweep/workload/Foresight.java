package io.nightsweep.workload;

import io.nightsweep.sweep.Profile;
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
        public String predictions(List<Profile> profiles) {
          return "";
        }
      };

  /** Whether the workload can run with the profile's overrides. */
  boolean allows(Profile profile);

  /** One sentence on the effect of the profiles; empty where nothing can be predicted. */
  String predictions(List<Profile> profiles);
}
