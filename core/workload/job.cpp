#include "core/workload/job.h"

#include "core/base/error.h"
#include "core/base/result.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

namespace {
constexpr std::array<std::string_view, 5> names{"tp", "cp", "ep", "dp", "pp"};

// The next smaller and the next larger one.
std::string nearestDivisors(std::int64_t value, std::int64_t of) {
    std::int64_t below = std::min(value, of), above = value;
    while (below > 1 && of % below != 0) --below;
    while (above < of && of % above != 0) ++above;
    return below >= above || above > of ? fmt::to_string(below) : fmt::format("{} and {}", below, above);
}

} // namespace

std::string_view toText(Parallel parallel) { return names[static_cast<std::size_t>(parallel)]; }

std::int64_t TrainingJob::gpus() const {
    std::int64_t product = 1;
    for (const std::int64_t each : degrees)
        product = each > 0 && product <= (std::int64_t{1} << 40) / each ? product * each : std::int64_t{1} << 40; // no design is as large
    return product;
}

std::vector<Error> TrainingJob::problems() const {
    std::vector<Error> found;
    // The words are made for what does not hold only: a search asks this for every configuration.
    const auto needs = [&](bool holds, const auto& words) {
        if (!holds) found.push_back(Error::unbuildable(words()));
    };
    for (const Parallel parallel : allParallel)
        needs(by(parallel) >= 1, [&] { return fmt::format("{} = {}: must be at least 1", toText(parallel), by(parallel)); });
    needs(microBatch >= 1 && globalBatch >= 1 && interleave >= 1,
          [&] { return std::string("micro_batch, global_batch and interleave: must be at least 1"); });
    if (!found.empty()) return found;
    const std::int64_t tp = by(Parallel::Tensor), pp = by(Parallel::Pipeline), ep = by(Parallel::Expert), cp = by(Parallel::Context);
    needs(model.heads % tp == 0, [&] {
        return fmt::format("tp = {}: must divide the {} heads of {}; nearest: {}", tp, model.heads, model.name,
                           nearestDivisors(tp, model.heads));
    });
    needs(model.kvHeads % tp == 0 || tp % model.kvHeads == 0, [&] {
        return fmt::format("tp = {}: must divide the {} key/value heads of {} or be a multiple of them", tp, model.kvHeads, model.name);
    });
    needs(pp * interleave <= model.layers, [&] {
        return fmt::format("pp = {} with interleave = {}: {} has {} layers, and each model chunk needs at least one", pp, interleave,
                           model.name, model.layers);
    });
    needs(ep == 1 || model.mixture, [&] { return fmt::format("ep = {}: {} has no experts", ep, model.name); });
    if (model.mixture)
        needs(model.mixture->experts % ep == 0, [&] {
            return fmt::format("ep = {}: must divide the {} experts of {}; nearest: {}", ep, model.mixture->experts, model.name,
                               nearestDivisors(ep, model.mixture->experts));
        });
    needs(model.sequenceTokens % cp == 0, [&] {
        return fmt::format("cp = {}: must divide the {} tokens of a sequence; nearest: {}", cp, model.sequenceTokens,
                           nearestDivisors(cp, model.sequenceTokens));
    });
    const std::int64_t at = by(Parallel::Data) * ep * microBatch;
    needs(globalBatch % at == 0, [&] {
        return fmt::format("global_batch = {}: must be a multiple of dp × ep × micro_batch = {}; nearest: {}", globalBatch, at,
                           globalBatch < at ? fmt::to_string(at)
                                            : fmt::format("{} and {}", globalBatch / at * at, (globalBatch / at + 1) * at));
    });
    needs(interleave == 1 || (pp > 1 && globalBatch % at == 0 && microBatches() % pp == 0), [&] {
        return fmt::format(
            "interleave = {}: requires pipeline parallelism, and a number of micro-batches that is a multiple of its {} stages", interleave,
            pp);
    });
    return found;
}

Result<std::array<Parallel, 5>> TrainingJob::rankOrderFrom(const std::string& text) {
    std::array<Parallel, 5> order{};
    std::size_t at = 0, start = 0;
    for (; at < order.size() && start <= text.size(); ++at) {
        const std::size_t end = std::min(text.find('-', start), text.size());
        const auto name = std::find(names.begin(), names.end(), std::string_view(text).substr(start, end - start));
        if (name == names.end()) break;
        order[at] = static_cast<Parallel>(name - names.begin());
        if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at), order[at]) !=
            order.begin() + static_cast<std::ptrdiff_t>(at))
            break;
        start = end + 1;
    }
    if (at == order.size() && start == text.size() + 1) return order;
    return Error::usage(
        fmt::format("rank_order = {}: must contain tp, cp, ep, dp and pp once each, innermost first, for example tp-cp-ep-dp-pp", text));
}

} // namespace railyard
