#include "fault.hpp"

#include <array>
#include <utility>

#include "errors.hpp"

namespace nightsweep {
namespace {

constexpr std::array<std::pair<Fault, const char*>, 10> kFaultNames = {{{Fault::none, "none"},
                                                                        {Fault::wrong, "wrong"},
                                                                        {Fault::straggler, "straggler"},
                                                                        {Fault::crash, "crash"},
                                                                        {Fault::hang, "hang"},
                                                                        {Fault::truncated, "truncated"},
                                                                        {Fault::transient, "transient"},
                                                                        {Fault::broken, "broken"},
                                                                        {Fault::throttled, "throttled"},
                                                                        {Fault::impossible, "impossible"}}};

}  // namespace

Fault parse_fault(const std::string& text) {
  std::string known;
  for (const auto& [fault, name] : kFaultNames) {
    if (text == name) return fault;
    known += std::string(known.empty() ? "" : ", ") + name;
  }
  throw BadCase("no fault '" + text + "'; expected one of " + known);
}

std::string to_string(Fault fault) {
  for (const auto& [known, name] : kFaultNames) {
    if (known == fault) return name;
  }
  throw BadCase("no such fault");
}

}  // namespace nightsweep
