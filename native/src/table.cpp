#include "table.hpp"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "dtype.hpp"
#include "kernels.hpp"
#include "probe.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

/** "12.34" with as many digits as needed: three significant ones, or a whole number. */
std::string number(double value) { return text(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value); }

std::string figures(const CaseResult& r) {
  if (r.disposition != Disposition::measured || r.samples.empty()) {
    return text("%10s %7s %7s %6s", to_string(r.disposition).c_str(), "", "",
                r.wrong ? std::to_string(*r.wrong).c_str() : "");
  }
  const Component& c = r.components.front();
  const double p50 = summarise(r.samples.front().max_over_ranks).p50;
  const double algorithm = c.state_bytes / p50 / 1e9;
  return text("%10s %7s %7s %6ld", number(1e6 * p50).c_str(), algorithm > 0 ? number(algorithm).c_str() : "",
              algorithm > 0 && c.bus_factor > 0 ? number(c.bus_factor * algorithm).c_str() : "",
              r.wrong.value_or(0));
}

bool is_sized(const Json& identity) { return identity.contains("bytes") && identity.contains("dtype"); }

std::string sized_columns() {
  return text(
      "#%12s %12s %6s %5s %6s  %-33s  %-33s\n#%12s %12s %6s %5s %6s %10s %7s %7s %6s %10s %7s %7s %6s\n",
      "size", "count", "type", "redop", "root", "          out-of-place", "          in-place", "(B)",
      "(elements)", "", "", "", "time (us)", "algbw", "busbw", "#wrong", "time (us)", "algbw", "busbw",
      "#wrong");
}

std::string shown(const std::string& name, const Json& value) {
  return " " + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
}

/**
 * Parameters without a column that are not at their default: otherwise, rows that differ only in them would
 * look alike.
 */
std::string others(const Json& identity) {
  std::string text;
  for (const Parameter& p : kernel_kind(identity["kernel"]).parameters) {
    const bool has_column = p.name == "bytes" || p.name == "dtype" || p.name == "operator" ||
                            p.name == "root" || p.name == "inPlace";
    if (!has_column && identity[p.name] != p.fallback) text += shown(p.name, identity[p.name]);
  }
  return text;
}

std::string sized_line(const CaseResult& out, const CaseResult* in) {
  const Json& c = out.identity;
  const std::string dtype = c["dtype"];
  // The measured size, if the requested one is not a whole number of elements.
  const auto bytes = out.facts.value("clampedToBytes", c["bytes"].get<std::size_t>());
  const std::size_t elements = bytes / bytes_of(parse_dtype(dtype));
  // Counted as in NCCL's tests: elements of one rank's block, if ranks have blocks.
  const std::size_t blocks = has_blocks(c["kernel"]) ? c["ranks"].get<std::size_t>() : 1;
  std::string line = text(" %12zu %12zu %6s %5s %6s %s", bytes, elements / blocks, dtype.c_str(),
                          c.value("operator", std::string("none")).c_str(),
                          c.contains("root") ? c["root"].dump().c_str() : "-1", figures(out).c_str());
  if (in != nullptr) line.append(" ").append(figures(*in));
  return line.append(others(c)).append("\n");
}

std::string other_columns() {
  return text("#%10s %10s %7s %9s %6s  case\n", "time (us)", "p99 (us)", "algbw", "Gflop/s", "#wrong");
}

/** For any kernel: its main result, and the parameters that identify the case. */
std::string other_line(const CaseResult& r) {
  std::string parameters;
  for (const auto& [name, value] : r.identity.items()) {
    if (name == "kernel" || name == "backend" || name == "ranks" || name == "sampling" ||
        name == "metricContract")
      continue;
    parameters += shown(name, value);
  }
  if (r.disposition != Disposition::measured || r.samples.empty()) {
    return text(" %10s %10s %7s %9s %6s ", to_string(r.disposition).c_str(), "", "", "", "") + parameters +
           "\n";
  }
  const Component& c = r.components.front();
  const Summary s = summarise(r.samples.front().max_over_ranks);
  return text(" %10s %10s %7s %9s %6ld ", number(1e6 * s.p50).c_str(), number(1e6 * s.p99).c_str(),
              c.state_bytes > 0 ? number(c.state_bytes / s.p50 / 1e9).c_str() : "",
              c.flops > 0 ? number(c.flops / s.p50 / 1e9).c_str() : "", r.wrong.value_or(0)) +
         parameters + "\n";
}

/**
 * GB/s in one direction between any two ranks; a pair is measured there and back, so the matrix is symmetric.
 */
std::string matrix_lines(const CaseResult& r) {
  const auto ranks = r.identity["ranks"].get<std::size_t>();
  std::vector<std::string> cells(ranks * ranks, "-");
  for (const Json& pair : r.facts["pairs"]) {
    const auto a = pair["from"].get<std::size_t>();
    const auto b = pair["to"].get<std::size_t>();
    cells[a * ranks + b] = cells[b * ranks + a] = number(pair["bytesPerSecond"].get<double>() / 1e9);
  }
  std::string lines = "#   GB/s";
  for (std::size_t b = 0; b < ranks; ++b) lines += text(" %7zu", b);
  for (std::size_t a = 0; a < ranks; ++a) {
    lines += text("\n#   %4zu", a);
    for (std::size_t b = 0; b < ranks; ++b) lines += text(" %7s", cells[a * ranks + b].c_str());
  }
  return lines + "\n";
}

}  // namespace

std::string Table::header(Transport& transport, const Sampling& sampling, bool hash_hosts) {
  const std::vector<std::string> hosts = transport.hosts();
  const auto rank = static_cast<std::size_t>(transport.rank());
  const std::string device = transport.device();
  const std::vector<std::string> places = transport.gather_text(text(
      "pid %6d on %s device %s", getpid(), hash_hosts ? "(hidden)" : hosts[rank].c_str(), device.c_str()));
  std::string lines = "# nightsweep-kernels " + program_version() + ", " + transport.library() + ", " +
                      std::to_string(transport.ranks()) + " ranks; samples " + sampling.words() +
                      " warm-ups, each the slowest rank's; time is their median, GB/s = 1e9 bytes a second\n";
  for (std::size_t r = 0; r < places.size(); ++r) lines += text("#  Rank %3zu ", r) + places[r] + "\n";
  return lines;
}

std::string Table::add(const CaseResult& result, bool in_place_follows) {
  wrong_ += result.wrong.value_or(0);
  ++(result.disposition == Disposition::measured ? measured_ : unmeasured_);
  const std::string kernel = result.identity["kernel"];
  const bool sized = is_sized(result.identity);
  std::string lines;
  if (kernel != kernel_) {
    lines += "#\n# " + kernel + "\n" + (sized ? sized_columns() : other_columns());
    kernel_ = kernel;
  }
  if (in_place_follows) {
    waiting_ = result;
    return lines;
  }
  if (waiting_) {
    lines += sized_line(*waiting_, &result);
    if (!waiting_->reason.empty() && waiting_->reason != result.reason)
      lines += "#   " + waiting_->reason + "\n";
    waiting_.reset();
  } else {
    lines += sized ? sized_line(result, nullptr) : other_line(result);
  }
  if (result.facts.contains("pairs") && result.facts["pairs"].is_array()) lines += matrix_lines(result);
  if (!result.reason.empty()) lines += "#   " + result.reason + "\n";
  return lines;
}

std::string Table::footer() const {
  return text("#\n# Wrong elements: %ld %s; %d points measured, %d not\n", wrong_,
              wrong_ == 0 ? "OK" : "FAILED", measured_, unmeasured_);
}

bool same_but_in_place(const Json& out_of_place, const Json& in_place) {
  if (out_of_place.value("inPlace", true) || !in_place.value("inPlace", false)) return false;
  Json other = in_place;
  other["inPlace"] = false;
  return other == out_of_place;
}

}  // namespace nightsweep
