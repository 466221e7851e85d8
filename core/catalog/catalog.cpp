#include "core/catalog/catalog.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace railyard {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

// Months since year 0; where only a year is known, its last month: a price is not called old before it must be.
int monthsOf(std::string_view date) {
    int year = 0, month = 12;
    std::from_chars(date.data(), date.data() + std::min<std::size_t>(4, date.size()), year);
    if (date.size() >= 7) std::from_chars(date.data() + 5, date.data() + 7, month);
    return year * 12 + month;
}

} // namespace

void Catalog::add(Part part) {
    std::string id = part.id;
    for (const std::string& former : part.formerIds) m_formerIds[former] = id;
    m_parts.insert_or_assign(std::move(id), std::move(part));
}

const Part* Catalog::find(std::string_view id) const {
    if (const auto it = m_parts.find(id); it != m_parts.end()) return &it->second;
    const auto former = m_formerIds.find(id);
    return former == m_formerIds.end() ? nullptr : find(former->second);
}

const FailureRate* Catalog::rate(std::string_view id) const {
    const auto it = std::find_if(m_rates.begin(), m_rates.end(), [&](const FailureRate& rate) { return rate.id == id; });
    return it == m_rates.end() ? nullptr : &*it;
}

std::vector<std::string> Catalog::nearest(std::string_view id, std::string_view kind) const {
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const auto& [name, part] : m_parts)
        if (kind.empty() || part.kind() == kind) found.emplace_back(editDistance(id, name), name);
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < found.size() && i < 3; ++i) names.push_back(found[i].second);
    return names;
}

bool isOldPrice(std::string_view date, std::string_view asOf) { return !date.empty() && monthsOf(asOf) - monthsOf(date) > 12; }

} // namespace railyard
