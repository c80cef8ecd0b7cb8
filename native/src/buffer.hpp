#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace nightsweep {

/** Kinds of memory for a kernel's data. The first three are a CPU's, the others a GPU's. */
enum class BufferKind { heap, huge, shared, device, pinned, managed };

/** Throws std::invalid_argument with the value found and the valid ones. */
BufferKind parse_buffer_kind(const std::string& text);
std::string to_string(BufferKind kind);

/** Memory that a transport can move; freed with the buffer. */
class Buffer {
 public:
  Buffer() = default;
  /** realised: the kind of the memory as probed, not as requested. */
  Buffer(void* data, std::size_t bytes, BufferKind realised, std::function<void()> release)
      : data_(data), bytes_(bytes), realised_(realised), release_(std::move(release)) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (release_) release_();
  }

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] BufferKind realised() const { return realised_; }
  template <typename T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(realised_, other.realised_);
    std::swap(release_, other.release_);
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  BufferKind realised_ = BufferKind::heap;
  std::function<void()> release_;
};

/** Zeroed memory of the process's own heap, aligned to a page. Throws std::bad_alloc. */
Buffer allocate_heap(std::size_t bytes);

/**
 * Zeroed memory in huge pages: reserved ones if there are any, else transparent ones, which the kernel may
 * refuse; the buffer says which kind it got. Throws std::bad_alloc.
 */
Buffer allocate_huge(std::size_t bytes);

}  // namespace nightsweep
