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

/** One axis of a kernel: an option of the command line, and a field of control documents and identities. */
struct Parameter {
  enum class Type { integer, number, text, flag };

  /** The name in identities, such as "inPlace". */
  std::string name;
  /**
   * The name on the command line, such as "--in-place". Except for flags, it takes a comma-separated list.
   */
  std::string option;
  Type type;
  /** The default value; null if every case must have one. */
  Json fallback;
  std::string help;
  /** The valid texts; empty if any text is valid. */
  std::vector<std::string> allowed = {};
  /** The smallest valid number. */
  double least = 1;
  /** The largest valid number; the default is due to libraries that count in ints. */
  double most = std::numeric_limits<int>::max();
};

/** A size in bytes is at most 1 PiB, so that sums of sizes do not overflow. */
inline constexpr std::uint64_t kMostBytes = 1ULL << 50;

/** What a case can use while it runs. */
struct Run {
  Transport& transport;
  Fault fault = Fault::none;
  /** Seed of what checks draw at random; the same on every rank. */
  std::uint64_t check_seed = 0;
};

/**
 * One case, ready to run, with its buffers. Every rank has its own, and all ranks call the same functions in
 * step.
 */
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;

  /**
   * Runs the components once on known data and compares every element.
   * @param spoil for a test: change an element of the result before the comparison
   * @return this rank's wrong elements
   */
  virtual long check(bool spoil) = 0;
  /**
   * The timed parts; the first one is the main result. One named "roundTrip" is compared with the sum of the
   * others.
   */
  virtual std::vector<Component> components() = 0;
  /**
   * The resources that the case got, by their names in the identity: a difference makes the point invalid.
   */
  virtual Json realised() { return Json::object(); }
  /** Other facts, computed after the timed part: numbers, texts, lists. Called on every rank in step. */
  virtual Json facts() { return Json::object(); }
  /** Facts that follow from the samples, which are in the order of the components. */
  virtual Json derived(const std::vector<Component>& /*components*/,
                       const std::vector<Samples>& /*samples*/) {
    return Json::object();
  }

 protected:
  /**
   * Runs a component in the way it is timed, so that a check sees the result of the timed code. Collective.
   */
  void run_timed(const std::string& component);
};

/** A kind of kernel: its axes, and how to make a case. */
struct KernelKind {
  std::string name;
  std::string help;
  std::vector<Parameter> parameters;
  /**
   * Makes a case from its whole identity (every parameter is present and of its type). Throws BadCase for
   * senseless values, Unsupported for what cannot run here, Dropped for what is left out. Collective.
   */
  std::function<std::unique_ptr<Kernel>(const Run& run, const Json& identity)> make;
};

/** All kinds, by name. */
const std::vector<KernelKind>& kernel_kinds();
/** Throws BadCase with a list of the kinds. */
const KernelKind& kernel_kind(const std::string& name);

/**
 * Adds parameters that every kernel has: dtype, one of the given ones (the first is the default), and
 * opsPerSample.
 */
std::vector<Parameter> with_common(std::vector<Parameter> own, const std::vector<std::string>& dtypes);

/** The size of the moved data, which every case must have. */
Parameter bytes_parameter(const std::string& help);
/** The kind of buffer. */
Parameter buffer_parameter();
Parameter ops_parameter(const std::string& help = "operations between two looks at the clock");

/** Every parameter with its value or default. Throws BadCase as identity_of does. */
Json hold_parameters(const KernelKind& kind, const Json& given);

/**
 * The whole identity of a case: its kernel, all parameters with defaults filled in, backend, ranks, sampling
 * and metric contract. By default a GPU backend's buffer is on the device. Throws BadCase for an unknown
 * field, a wrong type, or a missing or forbidden value.
 */
Json identity_of(const KernelKind& kind, const Json& given, const Transport& transport,
                 const Sampling& sampling);

/** The same without a transport. */
Json identity_of(const KernelKind& kind, const Json& given, const std::string& backend, int ranks,
                 const std::string& sampling);

/** The name of a case in files and logs: the first 16 digits of its identity's SHA-256. */
std::string case_id(const Json& identity);

}  // namespace nightsweep
