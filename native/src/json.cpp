#include "json.hpp"

#include <set>
#include <vector>

#include "errors.hpp"

namespace nightsweep {

Json parse_strictly(const std::string& text) {
  std::vector<std::set<std::string>> open;
  const auto no_duplicates = [&open](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      open.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open.pop_back();
    } else if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      throw BadCase("duplicate key " + parsed.dump());
    }
    return true;
  };
  try {
    return Json::parse(text, no_duplicates);
  } catch (const Json::parse_error& e) {
    throw BadCase(std::string("no JSON: ") + e.what());
  }
}

}  // namespace nightsweep
