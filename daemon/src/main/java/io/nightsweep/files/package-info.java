/**
 * Reads files of other programs, which may contain anything, and writes this program's own files
 * safely.
 */
@NullMarked
package io.nightsweep.files;

import org.jspecify.annotations.NullMarked;
