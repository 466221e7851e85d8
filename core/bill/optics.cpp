#include "core/bill/optics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace railyard {
namespace {

bool fits(const std::string& cage, const OpticPart& optic) {
    const std::string& form = optic.form;
    if (cage == "any") return optic.ports == 1 && (form == "osfp-flat" || form == "osfp224-flat" || form == "qsfp112" || form == "qsfp56");
    if (cage == form) return true;
    return (cage == "osfp224-finned" && form == "osfp-finned") || (cage == "osfp224-flat" && form == "osfp-flat") ||
           (cage == "qsfp-dd" && form == "qsfp56");
}

// What one link looks like on the fibre: lanes of a rate. Two modules understand each other when these agree.
struct Signature {
    std::string medium;
    int pairs = 0;
    double laneGbps = 0;
    bool split = false;
    auto operator<=>(const Signature&) const = default;
};

std::optional<Signature> signatureIn(const Cage& cage, const Part& part) {
    const OpticPart& optic = *part.as<OpticPart>();
    if (optic.linear || !optic.reach || !fits(cage.form, optic)) return {};
    const bool rightProtocol = cage.protocol.empty() || optic.protocols.empty() ||
                               std::find(optic.protocols.begin(), optic.protocols.end(), cage.protocol) != optic.protocols.end();
    if (!rightProtocol || cage.links % optic.ports != 0) return {};
    const int ways = cage.links / optic.ports; // a parallel module can be split in equal groups of its fibres
    if (optic.portSpeed / ways != cage.speed || optic.fibrePairs % ways != 0 || (ways > 1 && optic.fibrePairs == 1)) return {};
    const int pairs = optic.fibrePairs / ways;
    return Signature{optic.medium, pairs, inGbps(cage.speed) / pairs, ways > 1};
}

std::int64_t priceRank(const Part& part) {
    return part.price && part.price->base ? part.price->base->inCents() : std::numeric_limits<std::int64_t>::max() / 4;
}

std::string fibreConnector(const Part& optic) {
    std::string connector = optic.as<OpticPart>()->connector;
    if (const auto duplex = connector.find("LC"); duplex != std::string::npos) return "LC duplex";
    return connector;
}

const Part* findFibre(const Catalog& catalog, const std::string& medium, const std::string& connector, Metres length) {
    const Part* best = nullptr;
    for (const auto& [id, part] : catalog.parts()) {
        const CablePart* cable = part.as<CablePart>();
        if (!cable || cable->medium != medium || (cable->reach && *cable->reach < length)) continue;
        const bool straight =
            cable->connector == connector + " - " + connector || (connector == "LC duplex" && cable->connector.starts_with("LC duplex"));
        if (straight && (!best || priceRank(part) < priceRank(*best))) best = &part;
    }
    return best;
}

} // namespace

Metres stockLength(const Part* cable, Metres length) {
    // Union of the lengths that vendors list for fibre; longer ones are made to measure.
    static const std::vector<Metres> fibre = [] {
        std::vector<Metres> lengths;
        for (const double metres : {1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 35, 40, 50}) lengths.emplace_back(metres);
        return lengths;
    }();
    const CablePart* part = cable ? cable->as<CablePart>() : nullptr;
    const std::vector<Metres>& stock = part && !part->stockLengths.empty() ? part->stockLengths : fibre;
    const auto next = std::lower_bound(stock.begin(), stock.end(), length);
    return next != stock.end() ? *next : Metres(std::ceil(length.value() / 10) * 10);
}

ReachSteps::ReachSteps(const Catalog& catalog) {
    for (const auto& [id, part] : catalog.parts()) {
        if (const OpticPart* optic = part.as<OpticPart>(); optic && optic->reach) m_reaches.push_back(*optic->reach);
        if (const CablePart* cable = part.as<CablePart>(); cable && cable->reach) m_reaches.push_back(*cable->reach);
        if (const CablePart* cable = part.as<CablePart>(); cable && !cable->stockLengths.empty())
            m_reaches.push_back(cable->stockLengths.back());
    }
    std::sort(m_reaches.begin(), m_reaches.end());
    m_reaches.erase(std::unique(m_reaches.begin(), m_reaches.end()), m_reaches.end());
}

std::size_t ReachSteps::stepOf(Metres length) const {
    return static_cast<std::size_t>(std::lower_bound(m_reaches.begin(), m_reaches.end(), length) - m_reaches.begin());
}
Metres ReachSteps::reachOf(std::size_t step) const {
    return step < m_reaches.size() ? m_reaches[step] : Metres(std::numeric_limits<double>::infinity());
}

const Part* OpticChooser::fixedEnds(const Cage& near, const Cage& far, int ways, Metres length, bool optical) const {
    const auto takes = [](const std::string& plug, const std::string& cage) {
        return plug == cage || (plug == "osfp" && (cage == "osfp-finned" || cage == "osfp-flat")) ||
               (plug == "qsfp56" && cage == "qsfp-dd") || (plug == "qsfp28" && (cage == "qsfp56" || cage == "qsfp112"));
    };
    const auto speaks = [](const CablePart& cable, const std::string& protocol) {
        return protocol.empty() || std::find(cable.protocols.begin(), cable.protocols.end(), protocol) != cable.protocols.end();
    };
    const Part* best = nullptr;
    const auto rank = [](const Part& part) { return std::make_tuple(*part.as<CablePart>()->reach, priceRank(part), part.id); };
    for (const auto& [id, part] : m_catalog.parts()) {
        const CablePart* cable = part.as<CablePart>();
        if (!cable || cable->nearForm.empty() || (cable->medium == "aoc") != optical || !cable->reach || *cable->reach < length) continue;
        if (!cable->stockLengths.empty() && cable->stockLengths.back() < length) continue;
        const bool fits = takes(cable->nearForm, near.form) && takes(cable->farForm, far.form) && speaks(*cable, near.protocol) &&
                          speaks(*cable, far.protocol);
        const bool fast = near.speed * near.links == cable->speed && far.speed * far.links == cable->speed / ways;
        if (fits && fast && cable->ways == ways && (!best || rank(part) < rank(*best))) best = &part;
    }
    return best;
}

OpticChoice OpticChooser::find(const Cage& a, const Cage& b, Metres length) const {
    std::vector<std::pair<const Part*, Signature>> lower, upper;
    for (const auto& [id, part] : m_catalog.parts()) {
        if (!part.as<OpticPart>()) continue;
        if (const auto signature = signatureIn(a, part)) lower.emplace_back(&part, *signature);
        if (const auto signature = signatureIn(b, part)) upper.emplace_back(&part, *signature);
    }
    OpticChoice best;
    auto bestRank = std::make_tuple(0.0, 0.0, false, std::int64_t{0}, std::string(), std::string());
    for (const auto& [x, left] : lower) {
        for (const auto& [y, right] : upper) {
            if (std::tie(left.medium, left.pairs, left.laneGbps) != std::tie(right.medium, right.pairs, right.laneGbps)) continue;
            const double reachX = x->as<OpticPart>()->reach->value(), reachY = y->as<OpticPart>()->reach->value();
            if (std::min(reachX, reachY) < length.value()) continue;
            auto rank = std::make_tuple(std::min(reachX, reachY), std::max(reachX, reachY), left.medium != "mmf",
                                        priceRank(*x) + priceRank(*y), x->id, y->id);
            if (best.a && bestRank <= rank) continue;
            bestRank = rank;
            best.a = x;
            best.b = y;
            best.medium = left.medium;
            const std::string connector = fibreConnector(*x);
            const bool straight = !left.split && !right.split && connector == fibreConnector(*y);
            best.cable = straight ? findFibre(m_catalog, left.medium, connector, length) : nullptr;
            best.cableName = straight ? connector + " fibre" : connector + " to " + fibreConnector(*y) + " fibre, split";
        }
    }
    // Without a module that fits: a cable with its plugs, from one whole cage to another.
    if (!best.a && a.links == 1 && b.links == 1)
        for (const bool optical : {false, true})
            if (const Part* cable = best.cable ? nullptr : fixedEnds(a, b, 1, length, optical))
                best = {nullptr, nullptr, cable, cable->as<CablePart>()->medium, cable->name, {}};
    return best;
}

const OpticChoice& OpticChooser::choose(const Cage& a, const Cage& b, Metres length) {
    const auto key = std::make_tuple(a, b, length.value());
    const auto known = m_known.find(key);
    return known != m_known.end() ? known->second : m_known.emplace(key, find(a, b, length)).first->second;
}

} // namespace railyard
