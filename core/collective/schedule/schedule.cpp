#include "core/collective/schedule/schedule.h"

#include "core/base/counted.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::size_t mostRounds = 16;        // shown one by one
constexpr std::size_t mostPairs = 20'000'000; // of GPUs that are followed one by one

} // namespace

bool Schedule::isTooMany(std::size_t gpus) { return gpus > mostPairs / gpus; }

void Schedule::add(std::string name, std::string what, Seconds duration, std::vector<StepPlan> concurrent) {
    const Seconds start = steps.empty() ? Seconds() : steps.back().start + steps.back().duration;
    steps.push_back({std::move(name), std::move(what), start, duration});
    plans.push_back(std::move(concurrent));
}

// Of three domains one has most to send on the way up, another on the way down. Both go on at the same time, so both are shown at once.
std::vector<StepPlan> Schedule::alongTrees(Shape direction, double bytes) const {
    if (m_domains != 3) return {{direction, bytes}};
    return {{Shape::TreesUp, bytes / 2}, {Shape::TreesDown, bytes / 2}};
}

void Schedule::addTrees(double share, Seconds duration, const std::vector<StepPlan>& concurrentSteps) {
    for (const Shape shape : {Shape::TreesUp, Shape::TreesDown}) {
        std::vector<StepPlan> concurrent = concurrentSteps;
        for (const StepPlan& each : alongTrees(shape, size() * share)) concurrent.push_back(each);
        add(m_domains == 3            ? "reduce up and broadcast down the trees"
            : shape == Shape::TreesUp ? "reduce up the trees"
                                      : "broadcast down the trees",
            "two binary trees over HB domains, each with half of the data", duration / 2, concurrent);
    }
}

void Schedule::addRounds(double bytesOfPair, Seconds duration) {
    const std::size_t distances = m_domains - 1;
    const bool isOne = distances == 0 || isTooMany(m_gpus);
    // Pairs of a round are held at once.
    const std::size_t rounds = std::max(mostRounds, m_gpus * m_gpus / (mostPairs / mostRounds) + 1);
    const std::size_t shown = isOne ? 1 : std::min(distances, rounds);
    for (std::size_t round = 0; round < shown; ++round) {
        const std::size_t first = round + 1, of = distances == 0 ? 0 : (distances - first) / shown + 1;
        const double part = distances == 0 ? 1 : static_cast<double>(of) / static_cast<double>(distances);
        const std::string name = isOne ? "every GPU to every other GPU" : fmt::format("round {} of {}", round + 1, shown);
        const std::string what = isOne     ? "all pairs at the same time"
                                 : of == 1 ? fmt::format("each HB domain sends to the one {} ahead",
                                                         counted(static_cast<std::int64_t>(first), "{} position", "{} positions"))
                                           : fmt::format("each HB domain sends to those {}, {} ... {} positions ahead", first,
                                                         first + shown, first + (of - 1) * shown);
        add(name, what, duration * part, {{Shape::Rounds, bytesOfPair, first, shown}});
    }
}

void Schedule::addPhases() {
    const CollectivePhase nothing, *inside = &nothing, *between = &nothing;
    for (const CollectivePhase& phase : m_result.best.phases) (phase.bottleneck == "hb" ? inside : between) = &phase;
    const bool isSwitched = m_result.best.algorithm == Algorithm::Nvls;
    const double across = isSwitched ? size() : between->bytes; // of a domain
    const bool hidesInside = inside->bytes <= 0 || (inside->exposed <= 0 && between->bytes > 0), hidesBetween = between->exposed <= 0;
    const auto addInside = [&](const char* name, Shape tree) {
        std::vector<StepPlan> concurrent{{Shape::Inside, inside->bytes * inside->exposed / passes()}};
        if (between->bytes > 0 && isSwitched)
            for (const StepPlan& each : alongTrees(tree, across * (1 - between->exposed))) concurrent.push_back(each);
        else if (between->bytes > 0)
            concurrent.push_back({Shape::Between, across * (1 - between->exposed) / passes()});
        add(name,
            isSwitched ? "HB switches reduce or multicast the data of their GPUs" : "each GPU sends to its neighbour in the HB domain",
            (inside->time() + (hidesBetween ? between->time() : Seconds())) / passes(), concurrent);
    };
    if (scatters() && !hidesInside) addInside("reduce-scatter inside HB domains", Shape::TreesUp);
    if (between->bytes > 0 && !hidesBetween) {
        const StepPlan concurrentSteps{Shape::Inside, inside->bytes * (1 - inside->exposed)};
        const Seconds duration = between->time() + (hidesInside ? inside->time() : Seconds());
        if (isSwitched)
            addTrees(between->exposed, duration, {{Shape::Inside, concurrentSteps.bytes / 2}});
        else
            add("between HB domains", "each GPU sends to the GPU at the same position in the next HB domain", duration,
                {{Shape::Between, across * between->exposed}, concurrentSteps});
    }
    if (gathers() && !hidesInside) addInside("all-gather inside HB domains", Shape::TreesDown);
}

} // namespace railyard
