#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/base/unit_text.h"

#include <array>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

std::vector<FigureMember> ratios(Source s) {
    std::vector<FigureMember> members;
    for (std::size_t tier = 1; tier < s.instant.oversubscription.size(); ++tier)
        if (s.instant.counts.switchesByTier[tier] > 0)
            members.push_back({std::string(toText(static_cast<SwitchTier>(tier))), s.instant.oversubscription[tier]});
    return members;
}

Origin originOfRatio(Asked asked) {
    const Fabric& fabric = asked.fabric;
    double down = 0, up = 0;
    const auto isOfTier = [&](DeviceId device) { return toText(fabric.devices.tier[device]) == asked.member; };
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        if (isOfTier(fabric.links.b[l])) down += inGbps(fabric.speedOf(l));
        if (isOfTier(fabric.links.a[l])) up += inGbps(fabric.speedOf(l));
    }
    if (up == 0) return {"0", {}, "The top tier has no uplinks."};
    const std::string tier(asked.member);
    return {"down_gbps / up_gbps",
            {{"down_gbps", down, "Gb/s", "exported links.csv: total speed of the links from below to tier " + tier, "counted"},
             {"up_gbps", up, "Gb/s", "exported links.csv: total speed of the links upwards from tier " + tier, "counted"}}};
}

Origin originOfInjection(Asked asked) {
    std::map<double, double> gpusBySpeed; // of their NIC ports
    const Endpoints gpus = endpointsOf(asked.fabric, trafficGraphOf(asked.fabric), BisectionKey::GpuNetworkOnly);
    for (const Bandwidth speed : gpus.speed) gpusBySpeed[inGbps(speed)] += 1;
    OriginTerms terms;
    for (const auto& [speed, gpusOfSpeed] : gpusBySpeed)
        terms.push_back(
            {{fmt::format("gpus_at_{:g}", speed), gpusOfSpeed, "", "GPUs with this NIC bandwidth on the fabric", "counted"},
             {fmt::format("nic_{:g}_gbps", speed), speed, "Gb/s", "NIC bandwidth of one GPU (its share if GPUs share a NIC)", "counted"}});
    return sumOfProducts(terms);
}

const Bisection& bisectionOf(const BackgroundMetrics& background, BisectionKey key) {
    return background.bisection[static_cast<std::size_t>(key)];
}

template <BisectionKey Key>
Value lower(Source s) {
    return s.background ? Value(bisectionOf(*s.background, Key).lowerGbps) : std::nullopt;
}
template <BisectionKey Key>
Value upper(Source s) {
    return s.background ? Value(bisectionOf(*s.background, Key).upperGbps) : std::nullopt;
}
template <BisectionKey Key>
Value ofInjection(Source s) {
    return s.background ? bisectionOf(*s.background, Key).fractionOfInjection : std::nullopt;
}
template <BisectionKey Key>
bool isUncertified(Source s) {
    return s.background && !bisectionOf(*s.background, Key).certified;
}
template <BisectionKey Key>
std::vector<FigureMember> cutLinks(Source s) {
    std::vector<FigureMember> members;
    if (s.background)
        for (const auto& [tier, links] : bisectionOf(*s.background, Key).cutLinks) members.push_back({tier, static_cast<double>(links)});
    return members;
}

ExplainedInput upperInput(const Bisection& b, BisectionKey key) {
    return {"upper_gbps", b.upperGbps, "Gb/s", fmt::format("bisection.{}.upper_gbps", toText(key)), "computed"};
}

template <BisectionKey Key>
Origin originOfLower(Asked asked) {
    const Bisection& b = bisectionOf(*asked.source.background, Key);
    if (b.certified) return {"upper_gbps", {upperInput(b, Key)}, "Certified (" + b.method + ")."};
    return {"bound_gbps",
            {{"bound_gbps", b.lowerGbps, "Gb/s", b.method + " (docs/engine.md)", "computed"}},
            "No balanced partition has a smaller cut."};
}

template <BisectionKey Key>
Origin originOfUpper(Asked asked) {
    const Bisection& b = bisectionOf(*asked.source.background, Key);
    std::vector<ExplainedInput> tiers;
    for (const auto& [tier, gbps] : b.cutGbps)
        tiers.push_back({tier + "_gbps", gbps, "Gb/s",
                         fmt::format("{} links of tier {} crossed by the witness cut", b.cutLinks.at(tier), tier), "counted"});
    return sumOf(std::move(tiers), "Capacity of the smallest balanced cut found.");
}

template <BisectionKey Key>
Origin originOfFraction(Asked asked) {
    if (!asked.value) return unknownBecause("no endpoint injects traffic");
    const Bisection& b = bisectionOf(*asked.source.background, Key);
    return {"upper_gbps / half_injection_gbps",
            {upperInput(b, Key),
             {"half_injection_gbps", b.halfInjectionGbps, "Gb/s", "sum of the slower half of the endpoint speeds in the intact design",
              "counted"}}};
}

Origin originOfCutLinks(Asked asked) { return countedFrom(asked, "exported links.csv: links of this tier crossed by the witness cut"); }

constexpr BisectionKey servers = BisectionKey::Server, networkOnly = BisectionKey::GpuNetworkOnly, withHb = BisectionKey::GpuWithHb;

using Display = FigureDisplay;

std::string leafRatio(Source s) {
    const double leaf = s.instant.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)];
    return s.instant.counts.switches == 0 ? "–" : leaf > 0 ? formatRatio(leaf) : s.instant.counts.tiers == 1 ? "One tier" : "–";
}
template <BisectionKey Key>
const Bisection* bisectionOf(Source s) {
    return s.background ? &s.background->bisection[static_cast<std::size_t>(Key)] : nullptr;
}
template <BisectionKey Key>
std::string bisectionText(Source s) {
    const Bisection* b = bisectionOf<Key>(s);
    if (!b || !b->fractionOfInjection) return "–";
    if (b->isZeroByDesign()) return "0, by design · 0 Gb/s";
    return fmt::format("{}{:.2f} · {}", b->certified ? "" : "≤ ", *b->fractionOfInjection,
                       formatBandwidth(gigabitsPerSecond(b->upperGbps)));
}
template <BisectionKey Key>
std::string certificateOf(Source s) {
    const Bisection* b = bisectionOf<Key>(s);
    return !b || !b->fractionOfInjection ? "" : b->certified ? "certified" : "upper bound";
}
template <BisectionKey Key>
std::string methodOf(Source s) {
    const Bisection* b = bisectionOf<Key>(s);
    return b ? b->method : std::string();
}
constexpr unsigned bisectionPlaces = Display::Text | Display::Panel | Display::Comparison,
                   previewPlaces = Display::Preview | Display::Pointer;

constexpr FigureInfo rows[] = {
    shown({"ratios.oversubscription_by_tier.leaf", "Bandwidth", "Oversubscription, leaf", ": 1", 1, decimal, "",
           [](Source s) { return Value(s.instant.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)]); }, nullptr, nullptr, true},
          {Display::Text | Display::Panel | Display::Preview, 32, "Oversubscription", true, leafRatio}),
    {"ratios.oversubscription_by_tier.", "Bandwidth", "Oversubscription, {}", ": 1", 1, decimal, "", nullptr, originOfRatio, ratios},
    {"ratios.injection_gbps", "Bandwidth", "Injection bandwidth", "Tb/s", tera, decimal, "Gb/s",
     [](Source s) { return Value(inGbps(s.instant.injection)); }, originOfInjection},
    {"bisection.server.lower_gbps", "Bandwidth", "", "Tb/s", tera, decimal, "Gb/s", lower<servers>, originOfLower<servers>},
    shown({"bisection.server.upper_gbps", "Bandwidth", "Bisection bandwidth, servers", "Tb/s", tera, decimal, "Gb/s", upper<servers>,
           originOfUpper<servers>, nullptr, false, isUncertified<servers>},
          {Display::Summary, 19, "Bisection, servers", false, nullptr, certificateOf<servers>}),
    shown({"bisection.server.fraction_of_injection", "Bandwidth", "Bisection bandwidth, servers, of half the injection", "", 1, percent, "",
           ofInjection<servers>, originOfFraction<servers>, nullptr, true, isUncertified<servers>},
          {Display::Text, 19, "Bisection, servers", false, bisectionText<servers>, certificateOf<servers>, methodOf<servers>}),
    {"bisection.server.cut_links.", "Bandwidth", "", "", 1, count, "", nullptr, originOfCutLinks, cutLinks<servers>},
    {"bisection.gpu_network_only.lower_gbps", "Bandwidth", "", "Tb/s", tera, decimal, "Gb/s", lower<networkOnly>,
     originOfLower<networkOnly>},
    shown({"bisection.gpu_network_only.upper_gbps", "Bandwidth", "Bisection bandwidth, GPUs over the network only", "Tb/s", tera, decimal,
           "Gb/s", upper<networkOnly>, originOfUpper<networkOnly>, nullptr, false, isUncertified<networkOnly>},
          {previewPlaces | Display::Summary, 60, "Bisection, NIC fabric only", false, nullptr, certificateOf<networkOnly>}),
    ofCandidates(shown({"bisection.gpu_network_only.fraction_of_injection", "Bandwidth",
                        "Bisection bandwidth, GPUs over the network only, of half the injection", "", 1, percent, "",
                        ofInjection<networkOnly>, originOfFraction<networkOnly>, nullptr, true, isUncertified<networkOnly>},
                       {bisectionPlaces,
                        20,
                        "Bisection, NIC fabric only",
                        false,
                        bisectionText<networkOnly>,
                        certificateOf<networkOnly>,
                        methodOf<networkOnly>,
                        {},
                        {},
                        true,
                        "bisection.gpu_network_only.upper_gbps"}),
                 20, "Bisection\nNIC only", "highest bisection", false),
    {"bisection.gpu_network_only.cut_links.", "Bandwidth", "", "", 1, count, "", nullptr, originOfCutLinks, cutLinks<networkOnly>},
    {"bisection.gpu_with_hb.lower_gbps", "Bandwidth", "", "Tb/s", tera, decimal, "Gb/s", lower<withHb>, originOfLower<withHb>},
    shown({"bisection.gpu_with_hb.upper_gbps", "Bandwidth", "Bisection bandwidth, GPUs with HB domains", "Tb/s", tera, decimal, "Gb/s",
           upper<withHb>, originOfUpper<withHb>, nullptr, false, isUncertified<withHb>},
          {previewPlaces | Display::Summary, 61, "Bisection, with HB forwarding", false, nullptr, certificateOf<withHb>}),
    ofCandidates(shown({"bisection.gpu_with_hb.fraction_of_injection", "Bandwidth",
                        "Bisection bandwidth, GPUs with HB domains, of half the injection", "", 1, percent, "", ofInjection<withHb>,
                        originOfFraction<withHb>, nullptr, true, isUncertified<withHb>},
                       {bisectionPlaces,
                        21,
                        "Bisection, with HB forwarding",
                        false,
                        bisectionText<withHb>,
                        certificateOf<withHb>,
                        methodOf<withHb>,
                        {},
                        {},
                        true,
                        "bisection.gpu_with_hb.upper_gbps"}),
                 21, "Bisection\nwith NVLink", "highest bisection with NVLink", false),
    {"bisection.gpu_with_hb.cut_links.", "Bandwidth", "", "", 1, count, "", nullptr, originOfCutLinks, cutLinks<withHb>},
};

} // namespace

std::span<const FigureInfo> bandwidthFigures() { return rows; }

} // namespace railyard
