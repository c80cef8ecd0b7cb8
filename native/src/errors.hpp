#pragma once
#include <stdexcept>
#include <string>

namespace nightsweep {

/** A case that this build, backend or machine cannot run; it stays as a row with the reason. */
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** A point of a ladder that is left out, with the cap that it exceeds in its reason. */
struct Dropped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** A case or control document that cannot be understood; nothing runs. */
struct BadCase : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/** The control document is missing or not the one that was announced; nothing runs, and there is no default.
 */
struct BadControl : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** Data did not move; a transient one may be tried once more. */
struct TransportError : std::runtime_error {
  TransportError(const std::string& what, bool is_transient)
      : std::runtime_error(what), transient(is_transient) {}
  bool transient;
};

}  // namespace nightsweep
