#include "core/bill/optics.h"

#include "core/bill/part_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
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
    int breakout = 1;  // links that share one port of the module
    bool idle = false; // the module runs on half its lanes, at the end of a splitter
    auto operator<=>(const Signature&) const = default;
};

std::optional<Signature> signatureIn(const Cage& cage, const Part& part) {
    const OpticPart& optic = *part.as<OpticPart>();
    if (optic.linear || !optic.reach || !fits(cage.form, optic)) return {};
    const bool rightProtocol = cage.protocol.empty() || optic.protocols.empty() ||
                               std::find(optic.protocols.begin(), optic.protocols.end(), cage.protocol) != optic.protocols.end();
    if (!rightProtocol || cage.links % optic.ports != 0) return {};
    const int breakout = cage.links / optic.ports; // a parallel module can be split in equal groups of its fibres
    if (optic.portSpeed / breakout != cage.speed || optic.fibrePairs % breakout != 0 || (breakout > 1 && optic.fibrePairs == 1)) return {};
    const int pairs = optic.fibrePairs / breakout;
    return Signature{optic.medium, pairs, inGbps(cage.speed) / pairs, breakout, false};
}

// A module for one port that runs on half its lanes: what ends a leg of a 1:2 splitter.
std::optional<Signature> halfSignatureIn(const Cage& cage, const Part& part) {
    Cage whole = cage;
    whole.speed = cage.speed * 2;
    auto signature = cage.links == 1 && part.as<OpticPart>()->ports == 1 ? signatureIn(whole, part) : std::nullopt;
    if (!signature || signature->pairs % 2 != 0) return {};
    signature->pairs /= 2;
    signature->idle = true;
    return signature;
}

// Modules that light two fibres the same way; half a module only at the end of a splitter.
bool understand(const Signature& x, const Signature& y) {
    const bool legs = (!x.idle || y.breakout == 2) && (!y.idle || x.breakout == 2);
    return legs && std::tie(x.medium, x.pairs, x.laneGbps) == std::tie(y.medium, y.pairs, y.laneGbps);
}

std::int64_t priceRank(const Part& part) {
    return part.price && part.price->base ? part.price->base->inCents() : std::numeric_limits<std::int64_t>::max() / 4;
}

std::string fibreConnector(const Part& optic) {
    std::string connector = optic.as<OpticPart>()->connector;
    if (const auto duplex = connector.find("LC"); duplex != std::string::npos) return "LC duplex";
    return connector;
}

// With `breakout` plugs at the far end, which are of the kind at the near end.
const Part* findFibre(const Catalog& catalog, const std::string& medium, const std::string& connector, int breakout, Metres length) {
    const Part* best = nullptr;
    const std::string far = breakout == 1 ? connector : std::to_string(breakout) + "x " + connector;
    for (const auto& [id, part] : catalog.parts()) {
        const CablePart* cable = part.as<CablePart>();
        if (!cable || cable->medium != medium || (cable->reach && *cable->reach < length)) continue;
        const std::string plugs = cable->connector.substr(0, cable->connector.find(" ("));
        const bool fits = plugs == connector + " - " + far || (breakout == 1 && connector == "LC duplex" && plugs.starts_with("LC duplex"));
        if (fits && (!best || priceRank(part) < priceRank(*best))) best = &part;
    }
    return best;
}

// What one module shows to the fibre.
struct ModuleEnd {
    Signature signature;
    std::string plug;
};

// What lies between two modules.
void takeFibre(const Catalog& catalog, const ModuleEnd& a, const ModuleEnd& b, Metres length, FibreShape shape, OpticChoice& choice) {
    const bool splitsA = a.signature.breakout > 1, splitsB = b.signature.breakout > 1;
    choice.shape = splitsA && splitsB ? shape : splitsA ? FibreShape::SplitsAtA : splitsB ? FibreShape::SplitsAtB : FibreShape::Straight;
    choice.linksPerSocketA = a.signature.breakout;
    choice.linksPerSocketB = b.signature.breakout;
    const bool same = a.plug == b.plug;
    const ModuleEnd &hub = choice.shape == FibreShape::SplitsAtB ? b : a, &leg = choice.shape == FibreShape::SplitsAtB ? a : b;
    choice.cable = nullptr;
    switch (choice.shape) {
    case FibreShape::Straight:
        if (same) choice.cable = findFibre(catalog, a.signature.medium, a.plug, 1, length);
        choice.cableName = same ? a.plug + " fibre" : a.plug + " to " + b.plug + " fibre";
        return;
    case FibreShape::SplitsAtA:
    case FibreShape::SplitsAtB:
        if (same) choice.cable = findFibre(catalog, a.signature.medium, a.plug, hub.signature.breakout, length);
        choice.cableName =
            fmt::format("{} to {} × {} fibre, 1:{} splitter", hub.plug, hub.signature.breakout, leg.plug, hub.signature.breakout);
        return;
    case FibreShape::Crossed: choice.cableName = a.plug + " to " + b.plug + " fibre, split"; return;
    }
}

} // namespace

const std::vector<Metres>& fibreStockLengths() {
    static const std::vector<Metres> fibre = [] {
        std::vector<Metres> lengths;
        for (const double metres : {1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 35, 40, 50}) lengths.emplace_back(metres);
        return lengths;
    }();
    return fibre;
}

Metres stockLength(const Part* cable, Metres length) {
    const CablePart* part = cable ? cable->as<CablePart>() : nullptr;
    const std::vector<Metres>& stock = part && !part->stockLengths.empty() ? part->stockLengths : fibreStockLengths();
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

const Part* OpticChooser::fixedEnds(const Cage& near, const Cage& far, int breakout, Metres length, bool optical) const {
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
        const bool fast = near.speed * near.links == cable->speed && far.speed * far.links == cable->speed / breakout;
        if (fits && fast && cable->breakout == breakout && (!best || rank(part) < rank(*best))) best = &part;
    }
    return best;
}

OpticChoice OpticChooser::find(const Cage& a, const Cage& b, Metres length, FibreShape shape) const {
    std::vector<std::pair<const Part*, Signature>> lower, upper;
    for (const auto& [id, part] : m_catalog.parts()) {
        if (!part.as<OpticPart>()) continue;
        for (const auto& signature : {signatureIn(a, part), halfSignatureIn(a, part)})
            if (signature) lower.emplace_back(&part, *signature);
        for (const auto& signature : {signatureIn(b, part), halfSignatureIn(b, part)})
            if (signature) upper.emplace_back(&part, *signature);
    }
    OpticChoice best;
    auto bestRank = std::make_tuple(false, 0.0, 0.0, false, std::int64_t{0}, std::string(), std::string());
    for (const auto& [x, left] : lower) {
        for (const auto& [y, right] : upper) {
            if (!understand(left, right)) continue;
            const double reachX = x->as<OpticPart>()->reach->value(), reachY = y->as<OpticPart>()->reach->value();
            if (std::min(reachX, reachY) < length.value()) continue;
            auto rank = std::make_tuple(left.idle || right.idle, std::min(reachX, reachY), std::max(reachX, reachY), left.medium != "mmf",
                                        priceRank(*x) + priceRank(*y), x->id, y->id);
            if (best.a && bestRank <= rank) continue;
            bestRank = rank;
            best.a = x;
            best.b = y;
            best.medium = left.medium;
            takeFibre(m_catalog, {left, fibreConnector(*x)}, {right, fibreConnector(*y)}, length, shape, best);
        }
    }
    // Without a module that fits: a cable with its plugs, from one whole cage to another.
    if (!best.a && a.links == 1 && b.links == 1)
        for (const bool optical : {false, true})
            if (const Part* cable = best.cable ? nullptr : fixedEnds(a, b, 1, length, optical)) {
                best.cable = cable;
                best.medium = cable->as<CablePart>()->medium;
                best.cableName = cable->name;
            }
    return best;
}

const OpticChoice& OpticChooser::choose(const Cage& a, const Cage& b, Metres length, FibreShape shape) {
    const auto key = std::make_tuple(a, b, length.value(), shape);
    const auto known = m_known.find(key);
    return known != m_known.end() ? known->second : m_known.emplace(key, find(a, b, length, shape)).first->second;
}

} // namespace railyard
