#include "core/training/search_placements.h"

#include <algorithm>
#include <bit>

namespace railyard {
namespace {

double scoreOf(Objective objective, Seconds time, std::int64_t gpus) {
    return time.value() * (objective == Objective::Time ? 1 : static_cast<double>(gpus));
}

void mergeBest(SearchResult& into, SearchResult other, const SearchRequest& request) {
    const auto score = [&](const TrainingEstimate& each) { return scoreOf(request.objective, each.iteration, each.job.gpus()); };
    for (TrainingEstimate& each : other.best) into.best.push_back(std::move(each));
    std::stable_sort(into.best.begin(), into.best.end(),
                     [&](const TrainingEstimate& a, const TrainingEstimate& b) { return score(a) < score(b); });
    if (into.best.size() > request.most) into.best.resize(request.most);
}

// What no other configuration beats in both.
void mergeFront(SearchResult& into, const SearchResult& other, Objective objective) {
    const auto score = [&](const SearchPoint& each) { return scoreOf(objective, each.iteration, each.job.gpus()); };
    std::vector<SearchPoint> all = into.front;
    all.insert(all.end(), other.front.begin(), other.front.end());
    std::stable_sort(all.begin(), all.end(), [&](const SearchPoint& a, const SearchPoint& b) {
        return std::pair(score(a), a.memoryGib) < std::pair(score(b), b.memoryGib);
    });
    into.front.clear();
    for (SearchPoint& each : all)
        if (into.front.empty() || each.memoryGib < into.front.back().memoryGib) into.front.push_back(std::move(each));
}

void merge(SearchResult& into, SearchResult other, const SearchRequest& request) {
    into.evaluated += other.evaluated;
    into.tooLarge += other.tooLarge;
    into.pruned += other.pruned;
    into.isComplete = into.isComplete && other.isComplete;
    const auto missing = [](const TrainingEstimate& each) {
        const TrainingMemory& memory = each.memory;
        return std::max(memory.total() - memory.capacity, memory.isHostFull() ? memory.host - memory.hostCapacity : 0.0);
    };
    if (other.nearest && (!into.nearest || missing(*other.nearest) < missing(*into.nearest))) into.nearest = std::move(other.nearest);
    if (into.problems.empty()) into.problems = other.problems;
    mergeFront(into, other, request.objective);
    mergeBest(into, std::move(other), request);
    if (!into.best.empty()) {
        into.nearest.reset();
        into.problems.clear();
    }
}

} // namespace

std::vector<PlacementChoice> placementsToTry(const Fabric& fabric, std::vector<DeviceId> gpus) {
    const auto domain = static_cast<std::uint64_t>(usualDomain(fabric));
    std::vector<PlacementChoice> choices;
    const auto whole = static_cast<std::int64_t>(std::bit_floor(domain));
    std::vector<DeviceId> aligned = firstOfDomains(fabric, gpus, whole);
    const bool isOther = domain > 1 && !std::has_single_bit(domain) && aligned.size() < gpus.size();
    choices.push_back({std::move(gpus), 0});
    if (isOther) choices.push_back({std::move(aligned), whole});
    return choices;
}

Result<SearchResult> searchPlacements(const Fabric& fabric, const TrainingJob& job, const std::vector<PlacementChoice>& choices,
                                      const TrainingPlan& plan, const std::function<SearchSpace(const std::vector<DeviceId>&)>& spaceOf,
                                      const SearchRequest& request, const std::stop_token& stop, const TrainingCalibration& calibration) {
    std::optional<SearchResult> all;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        SearchRequest own = request;
        if (request.progress) // one bar over all choices
            own.progress = [&, i](std::int64_t done, std::int64_t of) {
                request.progress(static_cast<std::int64_t>(i) * of + done, static_cast<std::int64_t>(choices.size()) * of);
            };
        auto found = searchTraining(fabric, job, choices[i].gpus, plan, spaceOf(choices[i].gpus), own, stop, calibration);
        if (!found) return found;
        if (all)
            merge(*all, std::move(*found), request);
        else
            all = std::move(*found);
    }
    return std::move(*all);
}

} // namespace railyard
