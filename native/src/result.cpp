#include "result.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "statistics.hpp"

namespace nightsweep {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

Json ratio(double value, std::optional<double> limit) {
  return value > 0 && limit ? Json(value / *limit) : Json();
}

Json figures(const Component& component, const Samples& samples, const std::string& dtype,
             const std::optional<Limits>& limits) {
  Json record;
  const Summary s = summarise(samples.max_over_ranks);
  record["name"] = component.name;
  record["p50Seconds"] = s.p50;
  record["p90Seconds"] = s.p90;
  record["p95Seconds"] = s.p95;
  record["p99Seconds"] = s.p99;
  record["minSeconds"] = s.min;
  record["maxSeconds"] = s.max;
  record["meanSeconds"] = s.mean;
  record["stdevSeconds"] = s.stdev;
  record["cv"] = s.cv;
  record["minOverRanksP50Seconds"] = summarise(samples.min_over_ranks).p50;
  record["spreadP50Seconds"] = s.p50 - summarise(samples.min_over_ranks).p50;
  const double algorithm = component.state_bytes / s.p50;
  const double flops = component.flops / s.p50;
  const double written = component.least_bytes_written / s.p50;
  record["stateBytes"] = component.state_bytes > 0 ? Json(component.state_bytes) : Json();
  record["algbwBytesPerSecond"] = algorithm > 0 ? Json(algorithm) : Json();
  record["busbwBytesPerSecond"] =
      algorithm > 0 && component.bus_factor > 0 ? Json(component.bus_factor * algorithm) : Json();
  record["flopsPerSecond"] = flops > 0 ? Json(flops) : Json();
  record["ofCopyLimit"] =
      limits && written > 0 ? ratio(written, limits->copy_limit(component.least_bytes_written)) : Json();
  record["ofFlopsLimit"] = limits ? ratio(flops, limits->flops_limit(dtype)) : Json();
  record["samplesSeconds"] = samples.max_over_ranks;
  record["minOverRanksSeconds"] = samples.min_over_ranks;
  return record;
}

void write_all(int fd, const std::string& text, const std::string& file) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno != EINTR) fail(file);
    if (n > 0) written += static_cast<std::size_t>(n);
  }
  if (fsync(fd) != 0 || close(fd) != 0) fail(file);
}

}  // namespace

std::string to_string(Disposition disposition) {
  switch (disposition) {
    case Disposition::measured:
      return "measured";
    case Disposition::failed:
      return "failed";
    case Disposition::dropped:
      return "dropped";
    case Disposition::unsupported:
      return "unsupported";
  }
  throw std::invalid_argument("no such disposition");
}

Json CaseResult::record(const std::optional<Limits>& limits) const {
  Json record;
  record["caseId"] = case_id(identity);
  record["identity"] = identity;
  record["disposition"] = to_string(disposition);
  record["reason"] = reason.empty() ? Json() : Json(reason);
  record["wrong"] = wrong ? Json(*wrong) : Json();
  record["requested"] = requested;
  record["realised"] = realised;
  record["iterations"] = sampling.iterations;
  record["trials"] = sampling.trials;
  record["warmup"] = sampling.warmup;
  record["facts"] = facts;
  record["anomaly"] = anomaly ? Json(*anomaly) : Json();
  record["components"] = Json::array();
  for (std::size_t c = 0; c < samples.size(); ++c) {
    record["components"].push_back(
        figures(components[c], samples[c], identity.value("dtype", std::string()), limits));
  }
  return record;
}

void publish(const std::filesystem::path& file, const std::string& text) {
  const std::string temporary = file.string() + ".tmp." + std::to_string(getpid());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) fail(temporary);
  write_all(fd, text, temporary);
  // Unlike rename, link never replaces an existing file.
  if (link(temporary.c_str(), file.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    errno = error;
    fail(file.string());
  }
  unlink(temporary.c_str());
}

void append(const std::filesystem::path& file, const std::string& line) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) fail(file.string());
  write_all(fd, line + "\n", file.string());
}

}  // namespace nightsweep
