package io.nightsweep.advisor;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;

/**
 * A candidate that the plan did not name, with the reason for it. It is raced like any other
 * candidate.
 */
public record AdvisedProfile(Profile profile, Statement because) {}
