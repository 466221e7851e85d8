#include "core/sweep/stored_table.h"

#include "core/base/parameter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace railyard {

SweepTable withNumbers(const StoredTable& stored) {
    SweepTable table{stored.axes, {}, {}, {}, {}};
    std::vector<std::size_t> kept;
    for (std::size_t c = 0; c < stored.columns.size(); ++c) {
        const auto isNumber = [&](const StoredTable::Row& row) { return numberOf(row.results[c]).has_value(); };
        if (std::none_of(stored.rows.begin(), stored.rows.end(), isNumber)) continue;
        kept.push_back(c);
        table.results.push_back(stored.columns[c]);
    }
    for (std::size_t r = 0; r < stored.rows.size(); ++r) {
        const StoredTable::Row& from = stored.rows[r];
        SweepTable::Row row{static_cast<std::int64_t>(r), stored.ids[r], from.axes, {}, from.note, from.error};
        for (const std::size_t c : kept) row.results.push_back(numberOf(from.results[c]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json cellOf(const std::string& text) {
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = !text.empty() && failed == std::errc() && end == text.data() + text.size() && std::isfinite(value);
    if (isNumber) return value;
    for (const bool flag : {true, false}) // spreadsheets write TRUE
        for (const char* word : flag ? std::array{"true", "TRUE", "True"} : std::array{"false", "FALSE", "False"})
            if (text == word) return flag;
    return text.empty() ? Json() : Json(text);
}

std::string textOfCell(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    return value.is_number() ? parameterText(value.get<double>()) : value.is_null() ? std::string() : value.dump();
}

std::optional<double> numberOf(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    return value.is_number() && std::isfinite(value.get<double>()) ? std::optional(value.get<double>()) : std::nullopt;
}

} // namespace railyard
