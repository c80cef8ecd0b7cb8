/** What observations mean: rules that turn what the cluster and a job's files say into events. */
@NullMarked
package io.nightsweep.judging;

import org.jspecify.annotations.NullMarked;
