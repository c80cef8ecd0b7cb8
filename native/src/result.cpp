#include "result.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "probe.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

}  // namespace

Json case_record(const Json& identity, const Samples& samples, const Sampling& sampling, long wrong,
                 const CaseFigures& figures) {
  Json record;
  record["identity"] = identity;
  record["disposition"] = wrong == 0 ? "measured" : "failed";
  record["wrong"] = wrong;
  record["iterations"] = sampling.iterations;
  record["trials"] = sampling.trials;
  record["warmup"] = sampling.warmup;
  const Summary s = summarise(samples.max_over_ranks);
  record["p50Seconds"] = s.p50;
  record["p90Seconds"] = s.p90;
  record["p95Seconds"] = s.p95;
  record["p99Seconds"] = s.p99;
  record["minSeconds"] = s.min;
  record["maxSeconds"] = s.max;
  record["meanSeconds"] = s.mean;
  record["stdevSeconds"] = s.stdev;
  record["cv"] = s.cv;
  record["algbwBytesPerSecond"] = figures.algorithm_bytes > 0 ? Json(figures.algorithm_bytes / s.p50) : Json();
  record["busbwBytesPerSecond"] =
      figures.algorithm_bytes > 0 ? Json(figures.bus_factor * figures.algorithm_bytes / s.p50) : Json();
  record["flopsPerSecond"] = figures.flops > 0 ? Json(figures.flops / s.p50) : Json();
  record["samplesSeconds"] = samples.max_over_ranks;
  record["minOverRanksSeconds"] = samples.min_over_ranks;
  return record;
}

Json result_document(Transport& transport, Json cases) {
  Json document;
  document["schema"] = 1;
  document["metricContract"] = "max over ranks per sample, barrier before, nearest-rank p50; v1";
  document["program"] = program_version();
  document["transport"] = transport.library();
  document["blas"] = blas_library();
  document["ranks"] = transport.ranks();
  document["hosts"] = transport.hosts();
  document["environment"] = allowed_environment();
  document["cases"] = std::move(cases);
  return document;
}

void publish(const std::filesystem::path& file, const Json& document) {
  const std::string temporary = file.string() + ".tmp." + std::to_string(getpid());
  const std::string text = document.dump(1) + "\n";
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) fail(temporary);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno != EINTR) fail(temporary);
    if (n > 0) written += static_cast<std::size_t>(n);
  }
  if (fsync(fd) != 0 || close(fd) != 0) fail(temporary);
  // link, unlike rename, never replaces what is there.
  if (link(temporary.c_str(), file.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    errno = error;
    fail(file.string());
  }
  unlink(temporary.c_str());
}

}  // namespace nightsweep
