// A document as a tree of named values: its lists too, whose items are named by what makes them one. Differences and merges go by it.
#pragma once

#include "core/json/json_parse.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace railyard {

// The members of an object, or the items of a list by their names: "leaf[3]" of devices, "leaf[1]:17 – spine[1]:3" of links.
class NamedValues {
public:
    // Empty if the value is neither: then it is compared and merged as a whole. `key`: under which the value stands. Null is an object
    // without members, so that what is absent can be merged with what is there.
    static std::optional<NamedValues> read(std::string_view key, const Json* value);

    const Json* find(const std::string& name) const; // null if there is none
    const std::vector<std::pair<std::string, const Json*>>& all() const { return m_all; }
    bool isList() const { return m_isList; }

private:
    bool add(std::string name, const Json& value); // false if the name is taken
    std::vector<std::pair<std::string, const Json*>> m_all;
    std::unordered_map<std::string, std::size_t> m_index;
    bool m_isList = false;
};

} // namespace railyard
