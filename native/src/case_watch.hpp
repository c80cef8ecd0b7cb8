#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace nightsweep {

/**
 * How long to wait for a case with such a limit, in seconds; 0 for a case without one.
 * @param grace_seconds beyond twice the limit
 */
double patience_with(double limit_seconds, double grace_seconds);

/**
 * Ends the process if a case hangs: after twice its limit and a grace period in which it could have failed by
 * itself. There is no other way to stop a rank that waits for another inside the library.
 */
class CaseWatch {
 public:
  /**
   * @param patience_seconds 0 for no watch
   * @param last_words called from another thread before the process ends with exit code 4
   */
  CaseWatch(double patience_seconds, std::function<void()> last_words);
  ~CaseWatch();
  CaseWatch(const CaseWatch&) = delete;
  CaseWatch& operator=(const CaseWatch&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace nightsweep
