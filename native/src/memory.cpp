#include "memory.hpp"

#include <fstream>
#include <string>

#include "errors.hpp"

namespace nightsweep {
namespace {

/** Bytes that new programs can use without swapping, by the kernel's estimate; 0 where it gives none. */
double available_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    if (line.starts_with("MemAvailable:")) return 1024.0 * std::stod(line.substr(line.find(':') + 1));
  }
  return 0;
}

}  // namespace

void hold_memory(Transport& transport, std::size_t bytes) {
  const double available = available_bytes();
  const double cap = kMemoryShare * available / transport.ranks_on_host();
  std::string own;
  if (available > 0 && static_cast<double>(bytes) > cap) {
    own = "needs " + std::to_string(bytes) + " bytes a rank where the cap is " +
          std::to_string(static_cast<std::size_t>(cap));
  }
  // One rank's shortage is everyone's: the others would wait for it in the next collective operation.
  for (const std::string& reason : transport.gather_text(own)) {
    if (!reason.empty()) throw Dropped(reason);
  }
}

}  // namespace nightsweep
