/** Reading files that other programs wrote, which may be anything. */
@NullMarked
package io.nightsweep.files;

import org.jspecify.annotations.NullMarked;
