// From what a customer asks for to fabrics that differ: layouts, ratios and planes, each the cheapest of its kind.
#pragma once

#include "core/analysis/sizing/ranking.h"

namespace railyard {

// The size follows from the first of these that is stated: GPUs, a model in days, power, budget. The others are limits that must hold.
struct Requirements {
    std::optional<std::int64_t> gpus;
    std::optional<Watts> power;          // of the facility
    std::optional<Money> budget;         // of all networks
    std::optional<double> days;          // in which the job of `training` ends
    ParameterTexts training{};           // model, tokens and other options of the job
    ParameterTexts settings{};           // parameters of the recipes that all candidates have, such as storage=on
    DesignChange change{};               // options of the documents of all candidates, such as bill.pue; null: none
    std::string server, switchId;        // of the catalogue; empty: those of the layouts
    std::string vendor;                  // of the switches, where `switchId` is empty
    std::optional<double> bisection;     // least share of half the injection bandwidth, between servers
    std::string oversubscription;        // highest ratio of downlink to uplink bandwidth over all leaves as drawn, such as 2:1; empty: any
    std::optional<Bandwidth> link;       // no link faster than this
    std::optional<double> intervalHours; // least mean time between interruptions of a job on all GPUs
    std::size_t most = 5;

    SizedBy sizedBy() const { return gpus ? SizedBy::Gpus : days ? SizedBy::Days : power ? SizedBy::Power : SizedBy::Budget; }
};

struct Ranking {
    std::vector<RankedCandidate> candidates; // see `ranked`
    std::string title;                       // how many there are and what the first gives up; of none, what the nearest miss misses
    std::string hint; // where a fabric just below one of them needs a tier less: "Rail-optimized: 2,048 GPUs save a tier: ..."
    std::optional<std::int64_t> smallerGpus;    // that the hint names
    std::optional<RankedCandidate> nearestMiss; // without candidates its first miss is the requirement that binds
};

// Errors: no size, parts that there are not. Empty if a stop was requested.
Result<Ranking> candidatesFor(const Requirements& asked, const CatalogPointer& catalog, const TaskContext& context);

// "2,040 GPUs save a tier: 110 switches and $5.5 M less."; empty if no smaller fabric saves a tier.
std::string smallerText(const SizeCandidate& candidate);

} // namespace railyard
