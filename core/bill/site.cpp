#include "core/bill/site.h"

namespace railyard {
namespace {

using Info = ParameterInfo;

namespace site_field {
constexpr auto pue = [](Site & s) -> auto& { return s.pue; };
constexpr auto usdPerKwh = [](Site & s) -> auto& { return s.usdPerKwh; };
constexpr auto usdPerKwMonth = [](Site & s) -> auto& { return s.usdPerKwMonth; };
constexpr auto years = [](Site & s) -> auto& { return s.years; };
} // namespace site_field

std::vector<Parameter<Site>> siteRows() {
    return {
        numberParameter<Site, site_field::pue>({.key = "pue",
                                                .label = "PUE",
                                                .help = "power usage effectiveness: facility power / equipment power",
                                                .kind = Info::Kind::Real,
                                                .low = 1,
                                                .high = 3}),
        numberParameter<Site, site_field::usdPerKwh>({.key = "usd_per_kwh",
                                                      .label = "Energy",
                                                      .unit = "USD/kWh",
                                                      .help = "price of energy in USD per kWh",
                                                      .kind = Info::Kind::Real,
                                                      .high = 10}),
        numberParameter<Site, site_field::usdPerKwMonth>({.key = "usd_per_kw_month",
                                                          .label = "Space",
                                                          .unit = "USD per kW and month",
                                                          .help = "price of colocation space in USD per kW and month, excluding energy",
                                                          .kind = Info::Kind::Real,
                                                          .high = 10'000}),
        numberParameter<Site, site_field::years>({.key = "years",
                                                  .label = "Depreciation",
                                                  .unit = "years",
                                                  .help = "depreciation period of the equipment in years",
                                                  .kind = Info::Kind::Real,
                                                  .low = 0.5,
                                                  .high = 30}),
    };
}

} // namespace

std::span<const Parameter<Site>> siteParameters() {
    static const std::vector<Parameter<Site>> rows = siteRows();
    return rows;
}

Result<Site> readSite(const ParameterTexts& options) { return withTexts(siteParameters(), Site(), options, "the site"); }

Site siteOf(const Design& design) {
    const auto site = design.site ? readSite(design.site->options) : Result<Site>(Site());
    return site ? *site : Site(); // a document with other values is not opened
}

} // namespace railyard
