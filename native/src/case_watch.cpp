#include "case_watch.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <utility>

#include "cli.hpp"

namespace nightsweep {

double patience_with(double limit_seconds, double grace_seconds) {
  return limit_seconds > 0 ? 2 * limit_seconds + grace_seconds : 0;
}

CaseWatch::CaseWatch(double patience_seconds, std::function<void()> last_words) {
  if (patience_seconds <= 0) return;
  const std::chrono::duration<double> patience(patience_seconds);
  thread_ = std::thread([this, patience, words = std::move(last_words)] {
    std::unique_lock lock(mutex_);
    if (over_.wait_for(lock, patience, [this] { return done_; })) return;
    try {
      words();
    } catch (const std::exception&) {
      // If it cannot be reported, the process must still end.
    }
    std::_Exit(kFailed);
  });
}

CaseWatch::~CaseWatch() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  over_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace nightsweep
