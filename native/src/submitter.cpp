#include "submitter.hpp"

#include <utility>

namespace nightsweep {

void Submitter::run(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  ++submissions_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return work_ == nullptr; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Submitter::serve(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return work_ != nullptr; })) {
    lock.unlock();
    std::exception_ptr error;
    try {
      (*work_)();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    error_ = error;
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace nightsweep
