#include "core/failure/failure_parameters.h"

#include "core/base/unit_text.h"

#include <fmt/format.h>
#include <vector>

namespace railyard {
namespace {

constexpr double mostSeed = 9'007'199'254'740'992; // 2^53, so that JSON keeps it

Status setLinkShare(Failures& failures, const std::string& text) {
    const auto share = parseFraction(text);
    if (!share) return Error::parameter(Error::Kind::Usage, "range", "fail_links", text, share.error().text);
    failures.linkShare = *share;
    return Done{};
}

} // namespace

std::span<const Parameter<Failures>> failureParameters() {
    static const std::vector<Parameter<Failures>> rows{
        {ParameterInfo{.key = "fail_links",
                       .label = "Percentage of failed network links",
                       .unit = "%",
                       .help = "fail this percentage of the network links, chosen at random, for example 1%",
                       .kind = ParameterInfo::Kind::Text,
                       .low = 0,
                       .high = 100,
                       .range = "0%…100%"},
         [](const Failures& f) { return fmt::format("{}%", parameterText(f.linkShare * 100)); }, setLinkShare},
        numberParameter < Failures, [](Failures & f) -> auto& {return f.seed;
}
> ({.key = "seed", .label = "Seed", .help = "seed for random choices", .low = 0, .high = mostSeed}),
}; // namespace railyard
return rows;
}

} // namespace railyard
