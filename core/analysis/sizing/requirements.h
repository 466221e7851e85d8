// From what a customer asks for to fabrics that differ: layouts, ratios and planes, each the cheapest of its kind, with what each is best
// at.
#pragma once

#include "core/analysis/sizing/candidates.h"

#include <functional>

namespace railyard {

// The size follows from the first of these that is stated: GPUs, a model in days, power, budget. The others are limits that must hold.
struct Requirements {
    std::optional<std::int64_t> gpus;
    std::optional<Watts> power;      // of the facility
    std::optional<Money> budget;     // of all networks
    std::optional<double> days;      // in which the job of `training` ends
    ParameterTexts training{};       // model, tokens and other options of the job
    std::string server, switchId;    // of the catalogue; empty: those of the layouts
    std::optional<double> bisection; // least share of half the injection bandwidth, between servers
    std::size_t most = 5;
};

struct Miss {
    std::string requirement; // bisection, budget, power, days or size
    std::string text;        // what is missing
};

struct RankedCandidate {
    std::string name; // "Rail-optimized 2:1"
    SizeCandidate found;
    std::vector<std::string> reasons; // "lowest network cost"
    std::vector<Miss> misses;         // requirements that it does not meet
};

struct Ranking {
    // Lowest network cost first; no two with equal figures. One that another one beats in everything is there only if its recipe has no
    // other.
    std::vector<RankedCandidate> candidates;
    std::string hint; // where a fabric just below needs a tier less, of any layout: "Rail-optimized: 2,048 GPUs save a tier: ..."
    std::optional<RankedCandidate> nearestMiss; // without candidates its first miss is the requirement that binds
};

// Errors: no size, parts that there are not. Empty if a stop was requested.
Result<Ranking> candidatesFor(const Requirements& asked, const CatalogPointer& catalog, const TaskContext& context);

// "2,040 GPUs save a tier: 110 switches and $5.5 M less."; empty if no smaller fabric saves a tier.
std::string smallerText(const SizeCandidate& candidate);

} // namespace railyard
