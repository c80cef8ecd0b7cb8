/** The page: a sweep's state in a browser, and the door before it. */
@org.jspecify.annotations.NullMarked
package io.nightsweep.page;
