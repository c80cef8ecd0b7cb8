#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace nightsweep {

/** Keeps the order of its keys, so that a record reads as it was written. */
using Json = nlohmann::ordered_json;

/** Reads a text whole; throws BadCase for anything but one JSON value without duplicate keys. */
Json parse_strictly(const std::string& text);

}  // namespace nightsweep
