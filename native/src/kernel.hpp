#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "json.hpp"
#include "timing.hpp"

namespace nightsweep {

/** One axis of a kernel: an option of the command line, a field of a control document and of every identity.
 */
struct Parameter {
  enum class Type { integer, number, text, flag };

  /** As in identities, such as "inPlace". */
  std::string name;
  /** As on the command line, such as "--in-place". It takes a comma-separated list, but for flags. */
  std::string option;
  Type type;
  /** The value of a case that does not name it; null where every case must. */
  Json fallback;
  std::string help;
  /** The texts that there are; empty where anything goes. */
  std::vector<std::string> allowed = {};
  /** The smallest integer or number. */
  double least = 1;
  /** The largest: libraries count in ints. */
  double most = std::numeric_limits<int>::max();
};

/** A size in bytes is at most 1 PiB, so that sums of sizes are numbers. */
inline constexpr std::uint64_t kMostBytes = 1ULL << 50;

/** What a case may use while it runs. */
struct Run {
  Transport& transport;
  Fault fault = Fault::none;
  /** Steers what checks draw at random; the same on every rank. */
  std::uint64_t check_seed = 0;
};

/** One case, ready to run: it holds its buffers. Every rank has its own, and all call the same functions in
 * step. */
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;

  /**
   * Runs the components once on known data and compares every element.
   *
   * @param spoil change an element of the result before it is compared, for a test
   * @return this rank's wrong elements
   */
  virtual long check(bool spoil) = 0;
  /** What is timed; the first is the headline. One called "roundTrip" is held against the sum of the others.
   */
  virtual std::vector<Component> components() = 0;
  /** What was got of what the identity asks for, by the same names: a difference makes the point invalid. */
  virtual Json realised() { return Json::object(); }
  /** What else is worth knowing, after the timed part: numbers, texts, lists. Called on every rank in step.
   */
  virtual Json facts() { return Json::object(); }
  /** Facts that follow from the samples, which are in the order of the components. */
  virtual Json derived(const std::vector<Component>& /*components*/,
                       const std::vector<Samples>& /*samples*/) {
    return Json::object();
  }

 protected:
  /** Runs a component as it is timed, so that a check sees what that leaves. Collective. */
  void run_timed(const std::string& component);
};

/** A kind of kernel: its axes, and how a case of it is made. */
struct KernelKind {
  std::string name;
  std::string help;
  std::vector<Parameter> parameters;
  /**
   * Makes a case from its whole identity (every parameter is there and of its type). Throws BadCase for
   * values that make no sense, Unsupported for what cannot run here, Dropped for what is left out.
   * Collective.
   */
  std::function<std::unique_ptr<Kernel>(const Run& run, const Json& identity)> make;
};

/** All kinds, by name. */
const std::vector<KernelKind>& kernel_kinds();
/** Throws BadCase with the kinds that there are. */
const KernelKind& kernel_kind(const std::string& name);

/** Parameters that every kernel has: dtype of the given ones (the first by default) and opsPerSample. */
std::vector<Parameter> with_common(std::vector<Parameter> own, const std::vector<std::string>& dtypes);

/** The size of what is moved, which every case must name. */
Parameter bytes_parameter(const std::string& help);
/** The kind of buffer. */
Parameter buffer_parameter();
Parameter ops_parameter(const std::string& help = "operations between two looks at the clock");

/** Every parameter with its value, defaults filled in. Throws BadCase as identity_of does. */
Json hold_parameters(const KernelKind& kind, const Json& given);

/**
 * The whole identity of a case: its kernel, all parameters with defaults filled in, backend, ranks, sampling
 * and metric contract. Where nothing is said of a buffer, a GPU backend's lies on the device. Throws BadCase
 * for an unknown field, a wrong type, or a missing or forbidden value.
 */
Json identity_of(const KernelKind& kind, const Json& given, const Transport& transport,
                 const Sampling& sampling);

/** The same without a transport to ask. */
Json identity_of(const KernelKind& kind, const Json& given, const std::string& backend, int ranks,
                 const std::string& sampling);

/** Names a case in files and logs: the first 16 digits of its identity's SHA-256. */
std::string case_id(const Json& identity);

}  // namespace nightsweep
