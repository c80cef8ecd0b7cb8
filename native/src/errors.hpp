#pragma once
#include <stdexcept>
#include <string>

namespace nightsweep {

/** A case that this build, backend or machine cannot run; it is recorded with the reason. */
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** A point of a ladder that is left out; the reason names the limit that it exceeds. */
struct Dropped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** An invalid case or control document; nothing runs. */
struct BadCase : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/**
 * The control document is missing or differs from the announced one; nothing runs, and there is no default.
 */
struct BadControl : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** Moving data failed; after a transient error, one retry is allowed. */
struct TransportError : std::runtime_error {
  TransportError(const std::string& what, bool is_transient)
      : std::runtime_error(what), transient(is_transient) {}
  bool transient;
};

}  // namespace nightsweep
