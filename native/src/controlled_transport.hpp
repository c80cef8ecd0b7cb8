#pragma once
#include <cstdlib>

#include "transport.hpp"

namespace nightsweep {

/** A transport with its own data plane, but with another transport (MPI's) as its control plane. */
class ControlledTransport : public Transport {
 public:
  [[nodiscard]] int rank() const override { return control_.rank(); }
  [[nodiscard]] int ranks() const override { return control_.ranks(); }
  void barrier() override { control_.barrier(); }
  std::vector<double> max_over_ranks(const std::vector<double>& v) override {
    return control_.max_over_ranks(v);
  }
  std::vector<double> min_over_ranks(const std::vector<double>& v) override {
    return control_.min_over_ranks(v);
  }
  long sum_over_ranks(long value) override { return control_.sum_over_ranks(value); }
  std::vector<double> gather(const std::vector<double>& values) override { return control_.gather(values); }
  std::vector<std::string> gather_text(const std::string& text) override {
    return control_.gather_text(text);
  }
  std::string broadcast_text(const std::string& text, int root) override {
    return control_.broadcast_text(text, root);
  }
  std::vector<std::string> hosts() override { return control_.hosts(); }
  int ranks_on_host() override { return control_.ranks_on_host(); }
  [[noreturn]] void abort(int code) override {
    control_.abort(code);
    // Never reached, but the compiler cannot know that of a virtual function.
    std::abort();
  }

 protected:
  explicit ControlledTransport(Transport& control) : control_(control) {}

  Transport& control_;
};

}  // namespace nightsweep
