// Candidates side by side: which of them differ, what each is best at, their order, and the difference in a sentence.
#pragma once

#include "core/analysis/sizing/candidates.h"

#include <string>
#include <vector>

namespace railyard {

// What the size of the candidates follows from. Fabrics of several sizes can be compared by fewer figures.
enum class SizedBy : std::uint8_t { Gpus, Days, Power, Budget };

struct Miss {
    std::string requirement; // bisection, budget, power, days, interval, link, vendor, size, or a parameter such as switch
    std::string text;        // what is missing
};

struct RankedCandidate {
    std::string name; // "Rail-optimized 2:1"
    SizeCandidate found;
    std::vector<std::string> reasons{}; // "lowest network cost"
    std::vector<Miss> misses{};         // requirements that it does not meet
    bool isBest = false;                // at something: the reasons say at what
};

// The figures of a candidate by which it is ranked; unknown ones are infinite, so that they are best at nothing.
struct CandidateFigures {
    double gpus = 0, switches = 0, power = 0;
    double cost = 0;         // USD of all networks; infinite where a switch or a transceiver has no price
    double allToAll = 0;     // s
    double trainingDays = 0; // of the job, which may have another batch on another fabric
    double bisection = 0;    // between servers, share of half the injection bandwidth
    PartKinds leftOut;       // of the cost
};
CandidateFigures figuresOf(const SizeCandidate& found); // of one with metrics
// Why its job has no time of a training step; empty where it has one or none was computed.
std::string whyNoStep(const SizeCandidate& found);

// No two with equal figures, each with its reasons; lowest network cost first, of equal or unknown ones the fewest switches; with a limit
// of power or budget most GPUs first. One that another one beats in everything is there only if it is the only rail-optimized one or the
// only rail-only one, or if there were fewer than three.
std::vector<RankedCandidate> ranked(const std::vector<RankedCandidate>& all, SizedBy sizedBy, std::size_t most);

// "6 fabrics meet the requirements (5 shown); the cheapest saves $2.54 M (36 %) and gives up 73 % of the bisection"
std::string rankingText(const std::vector<RankedCandidate>& ranked, SizedBy sizedBy, std::size_t shown);

} // namespace railyard
