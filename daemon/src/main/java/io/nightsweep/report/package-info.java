/** Reports for people, as Markdown and charts. */
@NullMarked
package io.nightsweep.report;

import org.jspecify.annotations.NullMarked;
