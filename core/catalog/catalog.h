// All parts and failure rates that the program knows. Immutable after reading.
#pragma once

#include "core/base/result.h"
#include "core/catalog/part.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace railyard {

// Failures per unit and year (8,760 h), constant hazard; AFR = 1 - exp(-rate).
struct FailureRate {
    std::string id, component, name, source, confidence;
    std::optional<double> low, base, high;
    bool isDefault = false;
    std::vector<std::string> kinds = {}; // those of which it is the rate where none is given, see core/reliability/rates.h
};

class Catalog {
public:
    void add(Part part);
    void add(FailureRate rate) { m_rates.push_back(std::move(rate)); }
    void setAsOf(std::string date) { m_asOf = std::move(date); }

    const Part* find(std::string_view id) const; // by a former ID too, where no part has it now
    template <class Detail>
    const Part* find(std::string_view id) const {
        const Part* part = find(id);
        return part && part->as<Detail>() ? part : nullptr;
    }
    const std::map<std::string, Part, std::less<>>& parts() const { return m_parts; }
    const std::vector<FailureRate>& rates() const { return m_rates; }
    const FailureRate* rate(std::string_view id) const;
    const std::string& asOf() const { return m_asOf; }
    std::vector<std::string> nearest(std::string_view id, std::string_view kind) const; // similar IDs, for error messages

private:
    std::map<std::string, Part, std::less<>> m_parts;
    std::map<std::string, std::string, std::less<>> m_formerIds; // former ID -> ID
    std::vector<FailureRate> m_rates;
    std::string m_asOf;
};

using CatalogPointer = std::shared_ptr<const Catalog>;

// The catalogue that is compiled into the program from resources/catalog.
CatalogPointer shippedCatalog();
// True if a price from `date` is more than twelve months older than `asOf`.
bool isOldPrice(std::string_view date, std::string_view asOf);

} // namespace railyard
