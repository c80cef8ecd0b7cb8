#pragma once
#include <string>

namespace nightsweep {

/**
 * Faults for tests of the checks. They are injected only by --inject and named in the document. wrong: an
 * element of rank 0's checked results; straggler: the last rank sleeps 2 ms in every timed operation; crash:
 * the last rank dies before the timed part; hang: it never begins that part; truncated: the document is cut
 * in half; transient, broken: posting a message fails once, or always; throttled: the throttle counter rises;
 * impossible: times are divided by a million.
 */
enum class Fault { none, wrong, straggler, crash, hang, truncated, transient, broken, throttled, impossible };

/** Throws BadCase with the value found and the valid ones. */
Fault parse_fault(const std::string& text);
std::string to_string(Fault fault);

}  // namespace nightsweep
