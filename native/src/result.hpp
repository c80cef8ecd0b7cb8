#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "timing.hpp"
#include "transport.hpp"

namespace nightsweep {

using Json = nlohmann::ordered_json;

/** Fills in a measured case: samples, percentiles, bandwidths or operations a second where given. */
struct CaseFigures {
  double algorithm_bytes = 0;
  double bus_factor = 0;
  double flops = 0;
};

/** One record of either disposition, from one identity: a failure has the same fields as a success. */
Json case_record(const Json& identity, const Samples& samples, const Sampling& sampling, long wrong,
                 const CaseFigures& figures);

/** The document around the cases. */
Json result_document(Transport& transport, Json cases);

/** Whole or not at all: a temporary file, fsynced, renamed. Throws where the name is taken. */
void publish(const std::filesystem::path& file, const Json& document);

}  // namespace nightsweep
