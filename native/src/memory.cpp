#include "memory.hpp"

#include <fstream>
#include <new>
#include <string>

#include "errors.hpp"

namespace nightsweep {
namespace {

/** Bytes that new programs can use without swapping, by the kernel's estimate; 0 if there is none. */
double available_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    if (line.starts_with("MemAvailable:")) return 1024.0 * std::stod(line.substr(line.find(':') + 1));
  }
  return 0;
}

/**
 * If one rank lacks memory, all ranks must throw: the others would wait for it in the next collective
 * operation.
 */
void hold_together(Transport& transport, const std::string& own) {
  for (const std::string& reason : transport.gather_text(own)) {
    if (!reason.empty()) throw Dropped(reason);
  }
}

std::string whole(double bytes) {
  std::string text = std::to_string(bytes);
  return text.substr(0, text.find('.'));
}

}  // namespace

void hold_memory(Transport& transport, double bytes) {
  const double available = available_bytes();
  const double cap = kMemoryShare * available / transport.ranks_on_host();
  std::string own;
  if (available > 0 && bytes > cap) {
    own = "needs " + whole(bytes) + " bytes a rank where the cap is " + whole(cap);
  }
  hold_together(transport, own);
}

void allocate_together(Transport& transport, const std::function<void()>& allocate) {
  std::string lacking;
  try {
    allocate();
  } catch (const TransportError& e) {
    lacking = e.what();
  } catch (const std::bad_alloc&) {
    lacking = "there is not enough memory";
  }
  hold_together(transport, lacking);
}

}  // namespace nightsweep
