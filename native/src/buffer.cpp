#include "buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <stdexcept>

namespace nightsweep {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/** Kilobytes of huge pages in the mapping with this address, as reported by the kernel. */
std::size_t huge_kilobytes(const void* address) {
  std::ifstream smaps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  std::size_t kilobytes = 0;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> from >> dash >> to && dash == '-') {
      if (inside) break;
      inside = from <= wanted && wanted < to;
    } else if (inside && (line.starts_with("AnonHugePages:") || line.starts_with("Private_Hugetlb:"))) {
      kilobytes += std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10);
    }
  }
  return kilobytes;
}

}  // namespace

BufferKind parse_buffer_kind(const std::string& text) {
  for (const BufferKind kind : {BufferKind::heap, BufferKind::huge, BufferKind::shared, BufferKind::device,
                                BufferKind::pinned, BufferKind::managed}) {
    if (to_string(kind) == text) return kind;
  }
  throw std::invalid_argument("no buffer kind '" + text +
                              "'; expected heap, huge, shared, device, pinned or managed");
}

std::string to_string(BufferKind kind) {
  switch (kind) {
    case BufferKind::heap:
      return "heap";
    case BufferKind::huge:
      return "huge";
    case BufferKind::shared:
      return "shared";
    case BufferKind::device:
      return "device";
    case BufferKind::pinned:
      return "pinned";
    case BufferKind::managed:
      return "managed";
  }
  throw std::invalid_argument("no such buffer kind");
}

Buffer allocate_heap(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = rounded_up(std::max<std::size_t>(bytes, 1), page);
  void* data = std::aligned_alloc(page, size);
  if (data == nullptr) throw std::bad_alloc();
  std::memset(data, 0, size);
  return {data, bytes, BufferKind::heap, [data] { std::free(data); }};
}

Buffer allocate_huge(std::size_t bytes) {
  const std::size_t size = rounded_up(std::max<std::size_t>(bytes, 1), kHugePage);
  constexpr int kProtection = PROT_READ | PROT_WRITE;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS;
  void* data = mmap(nullptr, size, kProtection, kFlags | MAP_HUGETLB, -1, 0);
  if (data != MAP_FAILED) {
    std::memset(data, 0, size);
    return {data, bytes, BufferKind::huge, [data, size] { munmap(data, size); }};
  }
  // Mapping one page more guarantees an aligned part of the wanted size.
  const std::size_t mapped = size + kHugePage;
  void* base = mmap(nullptr, mapped, kProtection, kFlags, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  const auto start = rounded_up(reinterpret_cast<std::uintptr_t>(base), kHugePage);
  data = reinterpret_cast<void*>(start);
  madvise(data, size, MADV_HUGEPAGE);
  std::memset(data, 0, size);
  const bool huge = huge_kilobytes(data) * 1024 >= size;
  return {data, bytes, huge ? BufferKind::huge : BufferKind::heap, [base, mapped] { munmap(base, mapped); }};
}

}  // namespace nightsweep
