#include "core/reliability/spare_rates.h"

#include <algorithm>

namespace railyard {
namespace {

std::vector<PartKind> kindsOf(const BillLine& line) {
    const std::string_view kind = line.part ? line.part->kind() : std::string_view();
    if (line.category == BillCategory::Switch || kind == "switch")
        return {PartKind::Leaf, PartKind::Spine, PartKind::Superspine, PartKind::Core};
    if (line.category == BillCategory::Pluggable || kind == "optic") return {PartKind::Optic};
    if (line.category == BillCategory::Nic) return {PartKind::Nic};
    if (kind == "rack") return {}; // a rack system is not replaced as a whole; its trays are not lines of the bill
    if (line.category == BillCategory::Server) return {PartKind::Server};
    return {};
}

} // namespace

RateOfLine spareRatesOf(const Design& design, const ReliabilityRequest& request) {
    return [rates = ratesOf(design, request), factor = request.earlyLife](const BillLine& line) {
        std::optional<double> highest;
        for (const PartKind kind : kindsOf(line))
            if (const auto base = rates.of(kind, line.part ? line.part->id : std::string()).base)
                highest = std::max(highest.value_or(0), *base * factor);
        return highest;
    };
}

std::vector<TraySpares> traySparesOf(const Reliability& reliability, double confidence) {
    std::vector<TraySpares> spares;
    for (const FailureComponent& row : reliability.components) {
        if ((row.kind != PartKind::Tray && row.kind != PartKind::NvlinkSwitchTray) || !row.rate.base) continue;
        if (const std::int64_t count = sparesFor(row.count, *row.rate.base, spareLeadTimeHours, confidence); count > 0)
            spares.push_back({row.part.empty() ? std::string(toText(row.kind)) : row.part, count});
    }
    return spares;
}

} // namespace railyard
