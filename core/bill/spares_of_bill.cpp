#include "core/bill/bill.h"

#include "core/failure/spares.h"

namespace railyard {
namespace {

// Nobody publishes a rate for passive fibre. A GPU is replaced with its server's board, so servers count without them.
std::string_view rateOf(BillCategory category) {
    switch (category) {
    case BillCategory::Switch: return "rel-switch-hpn-tor";
    case BillCategory::Pluggable: return "rel-optic-field-2xfr4";
    case BillCategory::Nic: return "rel-nic-llama3";
    case BillCategory::Server: return "rel-server-llama3";
    case BillCategory::Cable: break;
    }
    return "";
}

} // namespace

void addSpares(Bill& bill, const Catalog& catalog, double confidence) {
    const auto same = [](const BillLine& a, const BillLine& b) {
        return a.category == b.category && a.part == b.part && (a.part || a.description == b.description);
    };
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        BillLine& line = bill.lines[i];
        const FailureRate* rate = catalog.rate(rateOf(line.category));
        if (!rate || !rate->base) continue;
        std::int64_t units = 0;
        bool first = true;
        for (std::size_t j = 0; j < bill.lines.size(); ++j) {
            if (!same(bill.lines[j], line)) continue;
            units += bill.lines[j].quantity;
            first = first && j >= i;
        }
        line.spares = first ? sparesFor(units, *rate->base, spareLeadTimeHours, confidence) : 0;
    }
}

} // namespace railyard
