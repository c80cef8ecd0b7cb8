/** The web page of a sweep's state, and the access checks before it. */
@org.jspecify.annotations.NullMarked
package io.nightsweep.page;
