#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace nightsweep {

/**
 * Runs work on a separate thread, as a device runs what its host submits: each submission costs a hand-over
 * and a wait, whatever its content.
 */
class Submitter {
 public:
  Submitter() : worker_([this](const std::stop_token& stop) { serve(stop); }) {}

  /** Hands the work over and waits until it is done; rethrows its exceptions. */
  void run(const std::function<void()>& work);
  [[nodiscard]] long submissions() const { return submissions_; }

 private:
  void serve(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  const std::function<void()>* work_ = nullptr;
  std::exception_ptr error_;
  long submissions_ = 0;
  std::jthread worker_;
};

}  // namespace nightsweep
