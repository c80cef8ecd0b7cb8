/**
 * Sweep files, plan templates and flag catalogs: read, validated with file:line:column, expanded
 * into the model.
 */
@NullMarked
package io.nightsweep.plan;

import org.jspecify.annotations.NullMarked;
