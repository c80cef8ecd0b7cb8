#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace nightsweep {

/** Keeps the order of keys, so that a record has the order in which it was written. */
using Json = nlohmann::ordered_json;

/** Parses a whole text; throws BadCase for anything but a single JSON value without duplicate keys. */
Json parse_strictly(const std::string& text);

}  // namespace nightsweep
