#pragma once
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace nightsweep {

/** How a collective combines the ranks' numbers. NCCL and RCCL have averages, MPI has not. */
enum class Reduction { sum, prod, max, min, avg };

inline constexpr std::array<std::pair<const char*, Reduction>, 5> kReductions = {{
    {"sum", Reduction::sum},
    {"prod", Reduction::prod},
    {"max", Reduction::max},
    {"min", Reduction::min},
    {"avg", Reduction::avg},
}};

/** Throws std::invalid_argument with the value found and the valid ones. */
inline Reduction parse_reduction(const std::string& text) {
  for (const auto& [name, reduction] : kReductions) {
    if (text == name) return reduction;
  }
  throw std::invalid_argument("no operator '" + text + "'; expected sum, prod, max, min or avg");
}

}  // namespace nightsweep
